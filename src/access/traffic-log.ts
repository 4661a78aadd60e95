import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { TrafficKind } from '../store/traffic.ts'

export type TrafficLog = ReturnType<typeof createTrafficLog>

interface TrafficLogDeps {
  readonly store: Pick<Store, 'transaction' | 'traffic'>
  readonly clock: Clock
  /** How long counts stay in memory, where a crash loses them. */
  readonly delayMs?: number
}

interface PendingRow {
  readonly day: number
  readonly kind: TrafficKind
  count: number
}

/**
 * Counts the requests that the meter does not count: free, refused and failed ones, and views that are granted without it.
 * Stores the counts every half second.
 */
export function createTrafficLog({ store, clock, delayMs = 500 }: TrafficLogDeps) {
  // Replaced at each flush: what a cleared map held would stay until a full garbage collection.
  let pending = new Map<string, PendingRow>()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Stores the counts now. To be called before the store is closed. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const rows = [...pending.values()]
    pending = new Map()
    last = undefined
    try {
      await store.transaction(function* () {
        for (const { day, kind, count } of rows) if (count !== 0) yield* store.traffic.add(day, kind, count)
      })
    } catch {
      // The store is busy or full: the counts are kept and tried again.
      for (const { day, kind, count } of rows) add(day, kind, count)
      schedule()
    }
  }

  /** The row that was added to last: calls that come together are mostly of one kind. */
  let last: PendingRow | undefined

  function add(day: number, kind: TrafficKind, count: number): void {
    if (last !== undefined && last.day === day && isSame(last.kind, kind)) {
      last.count += count
      return
    }
    const name = `${day} ${kind.endpoint} ${kind.auth} ${kind.status}`
    const row = pending.get(name) ?? { day, kind, count: 0 }
    row.count += count
    pending.set(name, row)
    last = row
  }

  function schedule(): void {
    if (timer !== undefined) return
    timer = setTimeout(flush, delayMs)
    timer.unref()
  }

  return {
    /** A negative count takes back what was recorded on that UTC day. */
    record(kind: TrafficKind, count = 1, day = utcDay(clock.now())): void {
      add(day, kind, count)
      schedule()
    },
    flush,
  }
}

function isSame(one: TrafficKind, other: TrafficKind): boolean {
  return one.endpoint === other.endpoint && one.auth === other.auth && one.status === other.status
}
