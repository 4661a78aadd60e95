import type { QueueClient, Waiter } from './waiter.ts'

export interface FairLimiterOptions {
  readonly runningMax: number
  readonly runningPerClientMax?: number
  readonly waitingMax?: number
  readonly waitingPerClientMax?: number
  /** Bounds a wait also where its waiter allows more. */
  readonly waitMsMax?: number
  /** When the queue is full, drops the newest work of the client with the most, if the next client has less. */
  readonly dropsNewest?: boolean
}

/** Something that bears only so much work at once, such as a host. */
export interface LimitedTarget {
  readonly name: string
  readonly max: number
}

export interface LimitedWork {
  /** More may join while the work waits. The one with the least running decides its turn. */
  readonly clients: Iterable<LimitedClient>
  readonly targets: readonly LimitedTarget[]
  readonly waiter?: Waiter | undefined
}

export interface LimitedClient {
  /** Every name under which work is counted for it, such as its address and its key. Without any it has no bound. */
  readonly names: readonly string[]
}

/** Counts work for these targets from now on, even if that exceeds their maximum. */
export type Retarget = (targets: readonly LimitedTarget[]) => void

export class LimiterFull extends Error {
  override readonly name = 'LimiterFull'
}

interface Running {
  readonly client: readonly string[]
  targets: readonly string[]
}

interface Waiting {
  readonly work: LimitedWork
  readonly owner: readonly string[]
  readonly start: (running: Running) => void
  readonly refuse: (reason: string) => void
}

interface Rank {
  readonly client: readonly string[]
  readonly running: number
  readonly turn: number
}

/** The client with the least running comes first; equals take turns, so that one with much work does not block the others. */
export class FairLimiter {
  readonly #options: FairLimiterOptions
  readonly #waiting: Waiting[] = []
  readonly #waitingOf = new Counts()
  readonly #runningOf = new Counts()
  readonly #runningAt = new Counts()
  readonly #turns = new Map<string, number>()
  readonly #untilIdle: (() => void)[] = []
  #runningCount = 0
  #lastTurn = 0

  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  /** Rejects with `LimiterFull`, at once or when the work was dropped. @throws WaitEnded when the client has to leave first */
  async run<T>(client: QueueClient | LimitedWork, task: (retarget: Retarget) => Promise<T>): Promise<T> {
    const work = workOf(client)
    const rank = this.#rankOf(work)
    const running = rank === undefined ? await this.#wait(work) : this.#begin(work, rank)
    try {
      return await task((targets) => {
        this.#runningAt.add(running.targets, -1)
        running.targets = namesOf(targets)
        this.#runningAt.add(running.targets, 1)
        this.startWaiting()
      })
    } finally {
      this.#count(running, -1)
      this.startWaiting()
      if (this.isIdle()) for (const tell of this.#untilIdle.splice(0)) tell()
    }
  }

  isIdle(): boolean {
    return this.#runningCount === 0
  }

  /** Resolves at the next moment in which nothing runs and nothing waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => this.#untilIdle.push(resolve))
  }

  #rankOf({ clients, targets }: LimitedWork): Rank | undefined {
    const { runningMax, runningPerClientMax = runningMax } = this.#options
    if (this.#runningCount >= runningMax) return undefined
    if (targets.some(({ name, max }) => this.#runningAt.of(name) >= max)) return undefined
    let first: Rank | undefined
    for (const { names } of clients) {
      const running = this.#runningOf.max(names)
      const rank = { client: names, running, turn: this.#turns.get(names[0] ?? '') ?? this.#lastTurn }
      if (running < runningPerClientMax && (first === undefined || isBefore(rank, first))) first = rank
    }
    return first
  }

  #begin({ targets }: LimitedWork, { client }: Rank): Running {
    const running = { client, targets: namesOf(targets) }
    this.#count(running, 1)
    return running
  }

  #count({ client, targets }: Running, change: 1 | -1): void {
    this.#runningCount += change
    this.#runningOf.add(client, change)
    this.#runningAt.add(targets, change)
  }

  /** Starts what may begin now. Called where more may run than before. */
  startWaiting(): void {
    while (this.#runningCount < this.#options.runningMax) {
      let next: Waiting | undefined
      let first: Rank | undefined
      for (const waiting of this.#waiting) {
        const rank = this.#rankOf(waiting.work)
        if (rank === undefined || (first !== undefined && !isBefore(rank, first))) continue
        next = waiting
        first = rank
      }
      if (next === undefined || first === undefined) return
      this.#leave(next)
      // The client goes to the end, behind all others.
      const [name = ''] = next.owner
      if (this.#turns.has(name)) this.#takeTurn(name)
      next.start(this.#begin(next.work, first))
    }
  }

  #takeTurn(name: string): void {
    this.#lastTurn += 1
    this.#turns.set(name, this.#lastTurn)
  }

  #wait(work: LimitedWork): Promise<Running> {
    const { waitMsMax } = this.#options
    const [{ names: owner } = nobody] = work.clients
    if (!this.#makeRoom(owner)) throw new LimiterFull('as many wait already as may')
    return new Promise((resolve, reject) => {
      const leave = (error: Error) => {
        end()
        this.#leave(waiting)
        reject(error)
      }
      const stopWaiting = work.waiter?.enter(leave)
      const timer = waitMsMax && setTimeout(() => waiting.refuse('waited too long'), waitMsMax)
      function end() {
        stopWaiting?.()
        clearTimeout(timer)
      }
      const waiting: Waiting = {
        work,
        owner,
        refuse: (reason) => leave(new LimiterFull(reason)),
        start(running) {
          end()
          resolve(running)
        },
      }
      const [name = ''] = owner
      if (!this.#turns.has(name)) this.#takeTurn(name)
      this.#waiting.push(waiting)
      this.#waitingOf.add(owner, 1)
    })
  }

  #leave(waiting: Waiting): void {
    const [name = ''] = waiting.owner
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    this.#waitingOf.add(waiting.owner, -1)
    if (this.#waitingOf.of(name) === 0) this.#turns.delete(name)
  }

  #makeRoom(owner: readonly string[]): boolean {
    const { waitingMax = Number.POSITIVE_INFINITY, waitingPerClientMax = waitingMax } = this.#options
    const ownCount = this.#waitingOf.max(owner)
    if (ownCount >= waitingPerClientMax) return false
    if (this.#waiting.length < waitingMax) return true
    if (this.#options.dropsNewest !== true) return false
    const counts = this.#waiting.map((waiting) => this.#waitingOf.max(waiting.owner))
    const most = Math.max(...counts)
    if (most <= ownCount + 1) return false
    this.#waiting[counts.lastIndexOf(most)]?.refuse('others have less waiting')
    return true
  }
}

const nobody: LimitedClient = { names: [] }

function workOf(client: QueueClient | LimitedWork): LimitedWork {
  if (typeof client === 'string') return { clients: [{ names: [client] }], targets: [] }
  return 'clients' in client
    ? client
    : { clients: [{ names: [client.name] }], targets: [], waiter: client.waiter }
}

function namesOf(targets: readonly LimitedTarget[]): readonly string[] {
  return targets.map(({ name }) => name)
}

function isBefore(one: Rank, other: Rank): boolean {
  return one.running < other.running || (one.running === other.running && one.turn < other.turn)
}

/** Counts by name. A name whose count is zero takes no memory. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  max(names: readonly string[]): number {
    let highest = 0
    for (const name of names) highest = Math.max(highest, this.of(name))
    return highest
  }

  add(names: readonly string[], change: 1 | -1): void {
    for (const name of names) {
      const count = this.of(name) + change
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}
