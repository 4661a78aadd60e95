import { setTimeout as sleep } from 'node:timers/promises'
import type { Sqlite } from './sqlite.ts'
import { isLocked } from './store-error.ts'

/** For how long a request waits for the write lock before it is told to come again. */
export const lockPatienceMs = 5_000

const delayMsMax = 25

/**
 * Does `work`, and does it again for as long as another process holds the write lock. It waits between tries, with a
 * timer: a wait inside SQLite would stop the event loop, and with it every other request. `work` is one transaction,
 * so a try that found the lock taken has left nothing behind. Throws the `StoreError` when the patience ends.
 */
export async function retryWhileLocked<T>(work: () => T, patienceMs = lockPatienceMs): Promise<T> {
  const deadlineMs = performance.now() + patienceMs
  for (let tries = 0; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadlineMs) throw error
    }
    await sleep(retryDelayMs(tries))
  }
}

const repeatsMax = 3

/**
 * The same for work of several steps, all of which may be done again. It waits with an empty transaction, since steps
 * that ask others for something must not be repeated in vain.
 */
export async function repeatWhileLocked<T>(
  { transaction }: Pick<Sqlite, 'transaction'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error) || repeats === repeatsMax) throw error
    }
    await retryWhileLocked(() => transaction(() => undefined))
  }
}

/** Short at first, since most locks last a millisecond; never the same for two processes. */
export function retryDelayMs(tries: number, max = delayMsMax): number {
  return Math.min(max, 2 ** Math.min(tries, 20)) * (0.5 + Math.random() / 2)
}
