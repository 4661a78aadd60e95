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
  const running = new Map<string, number>()
  let runningCount = 0
  let waitingCount = 0

  function mayRun(client: string): boolean {
    return runningCount < runningMax && (running.get(client) ?? 0) < runningPerClientMax
  }

  function start(client: string): void {
    runningCount += 1
    running.set(client, (running.get(client) ?? 0) + 1)
  }

  function end(client: string): void {
    runningCount -= 1
    const left = (running.get(client) ?? 1) - 1
    if (left === 0) running.delete(client)
    else running.set(client, left)
    startNext()
  }

  function startNext(): void {
    for (const [client, queue] of waiting) {
      if (runningCount >= runningMax) return
      if (!mayRun(client)) continue
      // The client goes to the end of the queue, behind all others.
      waiting.delete(client)
      const next = queue.shift()
      if (queue.length > 0) waiting.set(client, queue)
      waitingCount -= 1
      start(client)
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
      if (!waiting.has(client) && mayRun(client)) start(client)
      else await wait(client)
      try {
        return await work()
      } finally {
        end(client)
      }
    },
  }
}
