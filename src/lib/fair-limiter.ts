import { Counts } from './counts.ts'

export interface FairLimiterOptions {
  readonly runningMax: number
  readonly runningPerClientMax?: number
  readonly waitingMax?: number
  readonly waitingPerClientMax?: number
  /** When the queue is full, drops the newest work of the client with the most, if the next client has less. */
  readonly dropsNewest?: boolean
  readonly waitMsMax?: number
}

export class LimiterFull extends Error {
  override readonly name = 'LimiterFull'
}

export function createFairLimiter(options: FairLimiterOptions): FairLimiter {
  return new FairLimiter(options)
}

/** Work that waits for its turn. */
interface Waiting {
  readonly start: () => void
  readonly refuse: (reason: string) => void
}

/** Bounds how much work runs at once. Waiting clients take turns, so that one with much work does not block the others. */
export class FairLimiter {
  readonly #options: FairLimiterOptions
  /** In the order of the clients' turns; a client without waiting work has no entry. */
  readonly #queues = new Map<string, Waiting[]>()
  readonly #running = new Counts()
  #runningCount = 0
  #waitingCount = 0

  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  /** Rejects with `LimiterFull` at once, or later when the work waited too long or was dropped. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#queues.has(client) || !this.#startIfRoom(client)) await this.#wait(client)
    try {
      return await work()
    } finally {
      this.#runningCount -= 1
      this.#running.add([client], -1)
      this.#startNext()
    }
  }

  #startIfRoom(client: string): boolean {
    const { runningMax, runningPerClientMax = runningMax } = this.#options
    if (this.#runningCount >= runningMax || this.#running.of(client) >= runningPerClientMax) return false
    this.#runningCount += 1
    this.#running.add([client], 1)
    return true
  }

  #startNext(): void {
    for (const [client, queue] of this.#queues) {
      if (this.#runningCount >= this.#options.runningMax) return
      const [next] = queue
      if (next === undefined || !this.#startIfRoom(client)) continue
      this.#leave(client, next)
      // The client goes to the end, behind all others.
      if (this.#queues.delete(client)) this.#queues.set(client, queue)
      next.start()
    }
  }

  #wait(client: string): Promise<void> {
    const {
      waitingMax = Number.POSITIVE_INFINITY,
      waitingPerClientMax = waitingMax,
      waitMsMax,
    } = this.#options
    const queue = this.#queues.get(client) ?? []
    if (queue.length >= waitingPerClientMax || !this.#makeRoom(waitingMax, queue.length))
      throw new LimiterFull(`${waitingMax} wait already`)
    return new Promise((resolve, reject) => {
      const refuse = (reason: string) => {
        clearTimeout(timer)
        this.#leave(client, waiting)
        reject(new LimiterFull(reason))
      }
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const late = `its turn did not come within ${waitMsMax} ms`
      const timer = waitMsMax === undefined ? undefined : setTimeout(() => refuse(late), waitMsMax)
      const waiting = { start, refuse }
      queue.push(waiting)
      this.#queues.set(client, queue)
      this.#waitingCount += 1
    })
  }

  #leave(client: string, waiting: Waiting): void {
    const queue = this.#queues.get(client) ?? []
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) this.#queues.delete(client)
    this.#waitingCount -= 1
  }

  /** Returns whether a client with so much waiting may wait with more. */
  #makeRoom(waitingMax: number, ownCount: number): boolean {
    if (this.#waitingCount < waitingMax) return true
    if (this.#options.dropsNewest !== true) return false
    const queues = [...this.#queues.values()]
    const longest = queues.reduce((best, each) => (each.length > best.length ? each : best), [])
    if (longest.length <= ownCount + 1) return false
    longest.at(-1)?.refuse('others have less waiting')
    return true
  }
}
