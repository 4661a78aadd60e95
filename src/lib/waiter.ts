export class WaitEnded extends Error {
  override readonly name = 'WaitEnded'
  readonly isGone: boolean

  constructor(isGone: boolean) {
    super(isGone ? 'the caller has gone' : `no turn came within ${queuedMsMax} ms`)
    this.isGone = isGone
  }
}

/** Somebody who waits in queues. Work that knows none waits for as long as its queue lets it. */
export interface Waiter {
  /** Called where a wait begins; returns what ends it. `onEnd` is called at most once. @throws WaitEnded if it must end already */
  enter(onEnd: (ended: WaitEnded) => void): () => void
  /** Called where work for it begins: from now on it is waited for, whether its caller is there or not. */
  begin(): void
}

/** Whose turn it is in a queue: clients take turns. Where a waiter is named, the client waits for no longer than that may. */
export type QueueClient = string | { readonly name: string; readonly waiter: Waiter | undefined }

/** All waits of one call in queues together. The client gives its connection up much later. */
export const queuedMsMax = 20_000

/** The waits of one call: all queues that it passes have one bound together. */
export class CallWaiter implements Waiter {
  readonly #signal: () => AbortSignal
  readonly #waits = new Set<(ended: WaitEnded) => void>()
  #leftMs: number
  #sinceMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #hasBegun = false

  /** @param signal aborts when the caller has gone; asked for where the call has to wait, because most do not */
  constructor(signal: () => AbortSignal, leftMs = queuedMsMax) {
    this.#signal = signal
    this.#leftMs = leftMs
  }

  /** True for a caller who left before any work for it began. */
  isGone(): boolean {
    return !this.#hasBegun && this.#signal().aborted
  }

  enter(onEnd: (ended: WaitEnded) => void): () => void {
    if (this.isGone()) throw new WaitEnded(true)
    if (this.#leftMs <= 0) throw new WaitEnded(false)
    if (this.#waits.size === 0) this.#start()
    this.#waits.add(onEnd)
    return () => {
      if (this.#waits.delete(onEnd) && this.#waits.size === 0) this.#stop()
    }
  }

  begin(): void {
    this.#hasBegun = true
  }

  #start(): void {
    this.#sinceMs = performance.now()
    this.#timer = setTimeout(() => this.#end(false), this.#leftMs)
    if (!this.#hasBegun) this.#signal().addEventListener('abort', this.#leave)
  }

  #stop(): void {
    this.#leftMs -= performance.now() - this.#sinceMs
    clearTimeout(this.#timer)
    this.#signal().removeEventListener('abort', this.#leave)
  }

  readonly #leave = () => {
    if (!this.#hasBegun) this.#end(true)
  }

  #end(isGone: boolean): void {
    const waits = [...this.#waits]
    this.#waits.clear()
    this.#stop()
    if (!isGone) this.#leftMs = 0
    for (const onEnd of waits) onEnd(new WaitEnded(isGone))
  }
}

interface Member {
  readonly waiter: Waiter
  leave: () => void
  ended: WaitEnded | undefined
  onEnd: (ended: WaitEnded) => void
}

/** Callers who wait for the same work. Each leaves alone; when all have left, the work leaves its queue. */
export class SharedWaiter implements Waiter {
  readonly #members = new Set<Member>()
  readonly #waits = new Set<(ended: WaitEnded) => void>()
  #isPatient = false
  #hasBegun = false
  #ended: WaitEnded | undefined

  hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Adds somebody, and returns a function that waits for the result on their behalf. */
  join(waiter: Waiter | undefined): <T>(result: Promise<T>) => Promise<T> {
    if (waiter === undefined) {
      this.#isPatient = true
      return (result) => result
    }
    const member: Member = { waiter, leave() {}, ended: undefined, onEnd() {} }
    this.#members.add(member)
    if (this.#hasBegun) waiter.begin()
    if (this.#waits.size > 0) this.#enter(member)
    return (result) => this.#follow(member, result)
  }

  enter(onEnd: (ended: WaitEnded) => void): () => void {
    if (this.#waits.size === 0) for (const member of [...this.#members]) this.#enter(member)
    if (this.#ended !== undefined) throw this.#ended
    this.#waits.add(onEnd)
    return () => {
      if (!this.#waits.delete(onEnd) || this.#waits.size > 0) return
      for (const { leave } of this.#members) leave()
    }
  }

  begin(): void {
    this.#hasBegun = true
    for (const { waiter } of this.#members) waiter.begin()
  }

  #enter(member: Member): void {
    try {
      member.leave = member.waiter.enter((ended) => this.#lose(member, ended))
    } catch (ended) {
      if (!(ended instanceof WaitEnded)) throw ended
      this.#lose(member, ended)
    }
  }

  #lose(member: Member, ended: WaitEnded): void {
    this.#members.delete(member)
    member.ended = ended
    if (this.#members.size === 0 && !this.#isPatient) {
      this.#ended = ended
      const waits = [...this.#waits]
      this.#waits.clear()
      for (const onEnd of waits) onEnd(ended)
    }
    member.onEnd(ended)
  }

  #follow<T>(member: Member, result: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const over = () => {
        this.#members.delete(member)
        member.leave()
      }
      result.then(resolve, reject).finally(over)
      member.onEnd = reject
      if (member.ended !== undefined) reject(member.ended)
    })
  }
}

export function clientName(client: QueueClient): string {
  return typeof client === 'string' ? client : client.name
}

export function beginFor(client: QueueClient): void {
  if (typeof client !== 'string') client.waiter?.begin()
}

/** @throws WaitEnded */
export function waitInQueue<T>(client: QueueClient, turn: Promise<T>): Promise<T> {
  const waiter = typeof client === 'string' ? undefined : client.waiter
  if (waiter === undefined) return turn
  return new Promise((resolve, reject) => {
    let leave = () => {}
    turn.finally(() => leave()).then(resolve, reject)
    leave = waiter.enter(reject)
  })
}

/** Goes on at once with a result that is no promise: a promise less for nearly every call. */
export function withResult<T, Next>(result: T | Promise<T>, next: (result: T) => Next | Promise<Next>) {
  return result instanceof Promise ? result.then(next) : next(result)
}

/** Calls with the same key share one run, which waits in queues for all; each leaves alone. Work done at once is not shared. */
export function createCoalescer<Result>() {
  const running = new Map<string, { readonly waiter: SharedWaiter; readonly result: Promise<Result> }>()

  return <Made extends Result | Promise<Result>>(
    key: string,
    work: (waiter: Waiter) => Made,
    waiter?: Waiter,
  ): Made | Promise<Result> => {
    const current = running.get(key)
    // Work that everybody has left comes to nothing.
    if (current !== undefined && !current.waiter.hasEnded())
      return current.waiter.join(waiter)(current.result)
    const shared = new SharedWaiter()
    const follow = shared.join(waiter)
    const made = work(shared)
    if (!(made instanceof Promise)) return made
    const result: Promise<Result> = made.finally(() => {
      if (running.get(key)?.waiter === shared) running.delete(key)
    })
    running.set(key, { waiter: shared, result })
    return follow(result)
  }
}
