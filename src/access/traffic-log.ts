import { type Clock, utcDay, utcHour } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { TrafficKind } from '../store/usage.ts'
import { createTrafficTally } from './traffic-tally.ts'

export type TrafficLog = ReturnType<typeof createTrafficLog>

interface TrafficLogDeps {
  readonly store: Pick<Store, 'transaction' | 'traffic' | 'trafficHours'>
  readonly clock: Clock
  /** How long counts stay in memory, where a crash loses them. */
  readonly delayMs?: number
}

/**
 * Counts by day the requests that the meter does not count: free, refused and failed ones, and views that are granted
 * without it. Counts by hour every answer. Stores the counts every half second.
 */
export function createTrafficLog({ store, clock, delayMs = 500 }: TrafficLogDeps) {
  const days = createTrafficTally()
  const hours = createTrafficTally()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Stores the counts now. To be called before the store is closed. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ofDays = days.take()
    const ofHours = hours.take()
    if (ofDays.length === 0 && ofHours.length === 0) return
    try {
      await store.transaction(function* () {
        for (const { at, endpoint, auth, status, count } of ofDays)
          yield* store.traffic.add(at, { endpoint, auth, status }, count)
        for (const { at, endpoint, auth, status, count } of ofHours)
          yield* store.trafficHours.add(at, endpoint, auth, status, count)
      })
    } catch {
      // The store is busy or full: the counts are kept and tried again.
      for (const row of ofDays) days.add(row.at, row.endpoint, row.auth, row.status, row.count)
      for (const row of ofHours) hours.add(row.at, row.endpoint, row.auth, row.status, row.count)
      schedule()
    }
  }

  function schedule(): void {
    if (timer !== undefined) return
    timer = setTimeout(flush, delayMs)
    timer.unref()
  }

  return {
    /** A negative count takes back what was recorded on that UTC day. */
    record({ endpoint, auth, status }: TrafficKind, count = 1, day = utcDay(clock.now())): void {
      days.add(day, endpoint, auth, status, count)
      schedule()
    },
    /** Counts an answer in this hour. */
    answered(endpoint: string, auth: string, status: string): void {
      hours.add(utcHour(clock.now()), endpoint, auth, status, 1)
      schedule()
    },
    flush,
  }
}
