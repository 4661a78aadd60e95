import { Counts } from './counts.ts'
import type { QueueClient, Waiter } from './waiter.ts'

export interface FairLimiterOptions {
  readonly runningMax: number
  readonly runningPerClientMax?: number
  readonly waitingMax?: number
  readonly waitingPerClientMax?: number
  /** When the queue is full, drops the newest work of the client with the most, if the next client has less. */
  readonly dropsNewest?: boolean
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
  readonly #untilIdle: (() => void)[] = []
  #runningCount = 0
  #waitingCount = 0

  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  /**
   * Rejects with `LimiterFull` at once, or later when the work was dropped.
   * @throws WaitEnded when the client has to leave first
   */
  async run<T>(queueClient: QueueClient, work: () => Promise<T>): Promise<T> {
    const { name: client, waiter } =
      typeof queueClient === 'string' ? { name: queueClient, waiter: undefined } : queueClient
    if (this.#queues.has(client) || !this.#startIfRoom(client)) await this.#wait(client, waiter)
    try {
      return await work()
    } finally {
      this.#runningCount -= 1
      this.#running.add([client], -1)
      this.#startNext()
      if (this.isIdle()) for (const tell of this.#untilIdle.splice(0)) tell()
    }
  }

  /** Whether nothing runs and nothing waits. */
  isIdle(): boolean {
    return this.#runningCount === 0
  }

  /** Resolves at the next moment in which nothing runs and nothing waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => this.#untilIdle.push(resolve))
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

  #wait(client: string, waiter: Waiter | undefined): Promise<void> {
    const { waitingMax = Number.POSITIVE_INFINITY, waitingPerClientMax = waitingMax } = this.#options
    const queue = this.#queues.get(client) ?? []
    if (queue.length >= waitingPerClientMax || !this.#makeRoom(waitingMax, queue.length))
      throw new LimiterFull(`${waitingMax} wait already`)
    return new Promise((resolve, reject) => {
      const leave = (error: Error) => {
        stopWaiting?.()
        this.#leave(client, waiting)
        reject(error)
      }
      const stopWaiting = waiter?.enter(leave)
      const waiting = {
        refuse: (reason: string) => leave(new LimiterFull(reason)),
        start() {
          stopWaiting?.()
          resolve()
        },
      }
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
