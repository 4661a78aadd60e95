import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, dayMs, utcDay, utcHour } from '../lib/clock.ts'
import type { Store } from './open.ts'
import { createAddressPruning } from './prune-addresses.ts'
import { retryWhileLocked } from './retry-while-locked.ts'

/** How long the usage of each bucket is kept. */
const usageDaysMax = 400
/** How long traffic is kept by day: a year of months, and the year before for comparison. */
const trafficDaysMax = 760
/** How long traffic is kept by hour: a day and the day before, and some to look back. */
const trafficHoursMax = 72
/** How long it is kept which callers used a brand. */
const brandDaysMax = 60
/** How long the previews of each card are kept, and their sums. */
const sharedCardDaysMax = 30
const shareDaysMax = 400
/** How far back counts by client address are looked for: longer than a service is ever down. */
const addressDaysMax = 40
/** How long the operator's addresses and sessions are kept after their last login. */
const loginOriginDaysMax = 180
/** Few enough that other writers hardly wait for a step. */
const rowsAtOnce = 1_000

type PrunableStore = Pick<
  Store,
  | 'transaction'
  | 'usage'
  | 'deduplication'
  | 'signedAddresses'
  | 'traffic'
  | 'trafficHours'
  | 'loginAttempts'
  | 'loginOrigins'
  | 'brandDays'
  | 'shares'
  | 'peers'
  | 'tidy'
>

const pruneAddresses = createAddressPruning()

/** Removes rows that are no longer needed, in small steps between other work. */
export async function prune(store: PrunableStore, clock: Clock): Promise<void> {
  const today = utcDay(clock.now())
  await inSteps((limit) => store.deduplication.prune(today, limit))
  await pruneAddresses(store.signedAddresses, today)
  await inSteps((limit) => store.usage.prune(today - usageDaysMax, limit))
  await inSteps((limit) => store.brandDays.prune(today - brandDaysMax, limit))
  await inSteps((limit) => store.shares.pruneCards(today - sharedCardDaysMax, limit))
  await inSteps((limit) => store.shares.pruneDays(today - shareDaysMax, limit))
  for (let day = today - addressDaysMax; day < today; day += 1) {
    // Client addresses are personal: they are counted for one day and then forgotten.
    await inSteps((limit) => store.usage.removeByPrefix(day, 'ip:', limit))
  }
  const nowMs = clock.now()
  await retryWhileLocked(() => store.loginAttempts.keepBetween(nowMs - dayMs, nowMs + dayMs))
  await retryWhileLocked(() => store.loginOrigins.prune(nowMs - loginOriginDaysMax * dayMs))
  await retryWhileLocked(() => store.transaction(() => store.traffic.fold(today - trafficDaysMax)))
  await retryWhileLocked(() => store.trafficHours.prune(utcHour(clock.now()) - trafficHoursMax))
  await store.tidy()
}

/** Prunes a minute after the start and then every hour, unless another process does. Returns the function that stops it. */
export function startPruning(
  store: PrunableStore,
  clock: Clock,
  { onError, everyMs = 3_600_000 }: { onError: (error: unknown) => void; everyMs?: number },
): () => void {
  let isOver = false
  function run() {
    return store.peers
      .alone('prune', () => prune(store, clock))
      .catch((error) => {
        if (!isOver) onError(error)
      })
  }
  // Not at once: many processes may start together, and callers come first.
  const first = setTimeout(run, everyMs / 60)
  const timer = setInterval(run, everyMs)
  first.unref()
  timer.unref()
  return () => {
    isOver = true
    clearTimeout(first)
    clearInterval(timer)
  }
}

async function inSteps(step: (limit: number) => PromiseLike<number>): Promise<void> {
  while ((await retryWhileLocked(() => step(rowsAtOnce))) === rowsAtOnce) await nextTurn()
}
