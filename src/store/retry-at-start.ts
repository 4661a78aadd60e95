import { isLocked } from './store-error.ts'

/** At the start nobody waits for an answer, and other processes may be busy with the migrations. */
export const startPatienceMs = 5_000

/**
 * Repeats `work` while other processes hold a lock, for as long as a start may take. SQLite reports some locks at once,
 * whatever its busy timeout: when two processes switch a new file to WAL, and when the last connection of a file closes.
 * Blocks the event loop, so it is only for the start.
 */
export function retryAtStart<T>(work: () => T): T {
  const deadlineMs = performance.now() + startPatienceMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadlineMs) throw error
      waitSync(1 + Math.random() * 10)
    }
  }
}

function waitSync(timeMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeMs)
}
