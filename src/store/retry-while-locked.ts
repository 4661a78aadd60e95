import { setTimeout as sleep } from 'node:timers/promises'
import { setAwakeTimeout } from '../lib/awake-time.ts'
import type { Database } from './database.ts'
import { isPassing } from './store-error.ts'

/** How long a request waits for the write lock before it is answered 503. */
export const lockPatienceMs = 5_000

const delayMsMax = 25
/** The others who wait look this often in their patience, in case the one who looks for all is held up. */
const ownLooks = 5

/**
 * Runs `work`, and runs it again while another process holds the write lock, or where a connection to the database was lost
 * before anything was stored. The waits between tries are timers, because
 * a wait inside SQLite would stop the event loop and every other request with it. `work` is one transaction, so a try
 * that found the lock taken has left nothing behind. Of all who wait for one database, one tries often, and the others
 * when it got through: a thousand requests load it no more than one. Throws the `StoreError` after `patienceMs`.
 */
export async function retryWhileLocked<T>(
  work: () => T | PromiseLike<T>,
  patienceMs = lockPatienceMs,
): Promise<T> {
  let isOver = false
  const patience = setAwakeTimeout(() => {
    isOver = true
  }, patienceMs)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  /** The problem that this caller tries often for, on behalf of all who wait for the same. */
  let own: string | undefined
  try {
    for (let tries = 0; ; tries += 1) {
      let problem: string
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || isOver) throw error
        problem = String(error)
      }
      const lookout = lookouts.get(problem)
      if (own === undefined && lookout === undefined) {
        own = problem
        lookouts.set(problem, end)
      }
      if (own !== undefined || lookout === undefined) await sleep(retryDelayMs(tries))
      else await Promise.race([lookout, sleep(patienceMs / ownLooks, undefined, { ref: false })])
    }
  } finally {
    patience.clear()
    if (own !== undefined) lookouts.delete(own)
    resolve()
  }
}

/** When the one who tries often has got through or given up, by the message of the error, which names the database. */
const lookouts = new Map<string, Promise<void>>()

const repeatsMax = 3

/**
 * Like `retryWhileLocked`, for work of several steps, all of which may be repeated. It waits with an empty
 * transaction, because steps that call other services should not be repeated for nothing.
 */
export async function repeatWhileLocked<T>(
  { transaction }: Pick<Database, 'transaction'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || repeats === repeatsMax) throw error
    }
    await retryWhileLocked(() => transaction(function* () {}))
  }
}

/** Delay in ms before the next try: short at first, since most locks last a millisecond, and random. */
export function retryDelayMs(tries: number, max = delayMsMax): number {
  return Math.min(max, 2 ** Math.min(tries, 20)) * (0.5 + Math.random() / 2)
}
