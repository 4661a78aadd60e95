import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, dayMs, utcDay, utcHour } from '../lib/clock.ts'
import type { Store } from './open.ts'
import { retryWhileLocked } from './store-error.ts'
import type { SignedAddressTable } from './usage.ts'

const usageDaysMax = 400
/** Traffic by day: a year of months, and the year before for comparison. */
const trafficDaysMax = 760
/** Traffic by hour: a day and the day before, and some to look back. */
const trafficHoursMax = 72
const brandDaysMax = 60
const sharedCardDaysMax = 30
const shareDaysMax = 400
/** Counts by client address are looked for so far back: longer than a service is ever down. */
const addressDaysMax = 40
const loginOriginDaysMax = 180
/** A picture that is gone is shown for so long. */
const gonePictureDaysMax = 30
const unseenDaysMax = 400
const addressesMax = 1_000_000
/** A run looks at so many keys, and the next run goes on behind them. */
const keysAtOnce = 2_000

/** Few enough that other writers hardly wait for a step. */
const rowsAtOnce = 1_000

const pruneAddresses = createAddressPruning()

export async function prune(store: Store, clock: Clock): Promise<void> {
  const today = utcDay(clock.now())
  await inSteps((limit) => store.usage.pruneDedupKeys(today, limit))
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
  await inSteps((limit) => store.webSources.pruneGone('picture', nowMs - gonePictureDaysMax * dayMs, limit))
  await retryWhileLocked(() => store.loginAttempts.keepBetween(nowMs - dayMs, nowMs + dayMs))
  await retryWhileLocked(() => store.loginOrigins.prune(nowMs - loginOriginDaysMax * dayMs))
  await retryWhileLocked(() => store.transaction(() => store.traffic.fold(today - trafficDaysMax)))
  await retryWhileLocked(() => store.trafficHours.prune(utcHour(clock.now()) - trafficHoursMax))
  await store.tidy()
}

/** Prunes a minute after the start and then every hour, unless another process does. Returns the function that stops it. */
export function startPruning(
  store: Store,
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

/** Forgets addresses, key by key: those unseen for 400 days, and of more than a million of a key the longest unseen. */
export function createAddressPruning(max = addressesMax) {
  let lastId = ''

  return async (addresses: SignedAddressTable, today: number): Promise<void> => {
    const keys = await addresses.nextKeys(lastId, keysAtOnce)
    lastId = keys.length === keysAtOnce ? (keys.at(-1)?.id ?? '') : ''
    for (const { id } of keys) {
      await removeUnseen(addresses, id, today - unseenDaysMax, Number.POSITIVE_INFINITY)
      const excess = (await countAddresses(addresses, id)) - max
      if (excess > 0) await removeUnseen(addresses, id, today + 1, excess)
    }
  }
}

async function removeUnseen(table: SignedAddressTable, keyId: string, beforeDay: number, countMax: number) {
  for (let left = countMax; left > 0; ) {
    const limit = Math.min(left, rowsAtOnce)
    const removed = await retryWhileLocked(() => table.removeUnseen(keyId, beforeDay, limit))
    if (removed < limit) return
    left -= removed
    await nextTurn()
  }
}

/** In whole steps, which is exact enough: what is above a million by less than a step stays until it is more. */
async function countAddresses({ pageEnd }: SignedAddressTable, keyId: string): Promise<number> {
  let count = 0
  let after: string | undefined = ''
  while (after !== undefined) {
    after = await pageEnd(keyId, after, rowsAtOnce)
    if (after !== undefined) count += rowsAtOnce
    if (count > 0) await nextTurn()
  }
  return count
}
