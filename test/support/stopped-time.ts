import { spyOn } from 'bun:test'

/** Runs `work` while the monotonic clock stands still, so that nothing grows old, however slow the machine is. Timers run. */
export async function withStoppedTime<T>(work: () => Promise<T>): Promise<T> {
  const nowMs = performance.now()
  const stopped = spyOn(performance, 'now').mockReturnValue(nowMs)
  try {
    return await work()
  } finally {
    stopped.mockRestore()
  }
}
