/** Bounds how much work runs at once. Waiting clients take turns, so that one with much work does not block the others. */
export interface FairLimiter {
  /** Rejects with `LimiterFull` at once where too much waits already. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>
}

export class LimiterFull extends Error {}

export interface FairLimiterOptions {
  readonly runningMax: number
  readonly runningPerClientMax?: number
  readonly waitingMax?: number
  readonly waitingPerClientMax?: number
}

export function createFairLimiter({
  runningMax,
  runningPerClientMax = runningMax,
  waitingMax = Number.POSITIVE_INFINITY,
  waitingPerClientMax = waitingMax,
}: FairLimiterOptions): FairLimiter {
  /** In the order of the clients' turns. */
  const waiting = new Map<string, (() => void)[]>()
  let waitingCount = 0
  const running = createRunningCounts(runningMax, runningPerClientMax)

  function startNext(): void {
    for (const [client, queue] of waiting) {
      if (running.isFull()) return
      if (!running.hasRoomFor(client)) continue
      // The client goes to the end of the queue, behind all others.
      waiting.delete(client)
      const next = queue.shift()
      if (queue.length > 0) waiting.set(client, queue)
      waitingCount -= 1
      running.add(client)
      next?.()
    }
  }

  function wait(client: string): Promise<void> {
    const queue = waiting.get(client) ?? []
    if (waitingCount >= waitingMax || queue.length >= waitingPerClientMax) throw new LimiterFull()
    waiting.set(client, queue)
    waitingCount += 1
    return new Promise((resolve) => queue.push(resolve))
  }

  return {
    async run(client, work) {
      if (!waiting.has(client) && running.hasRoomFor(client)) running.add(client)
      else await wait(client)
      try {
        return await work()
      } finally {
        running.remove(client)
        startNext()
      }
    },
  }
}

/** Counts the running work, in total and per client. */
function createRunningCounts(runningMax: number, runningPerClientMax: number) {
  const counts = new Map<string, number>()
  let total = 0

  function isFull(): boolean {
    return total >= runningMax
  }

  function hasRoomFor(client: string): boolean {
    return !isFull() && (counts.get(client) ?? 0) < runningPerClientMax
  }

  function add(client: string): void {
    total += 1
    counts.set(client, (counts.get(client) ?? 0) + 1)
  }

  function remove(client: string): void {
    total -= 1
    const left = (counts.get(client) ?? 1) - 1
    if (left === 0) counts.delete(client)
    else counts.set(client, left)
  }

  return { isFull, hasRoomFor, add, remove }
}
