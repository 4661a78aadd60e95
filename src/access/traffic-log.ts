import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { TrafficKind } from '../store/traffic.ts'

/** Counts the requests that no quota counts: free ones, refused ones, failed ones. Stored every half second. */
export interface TrafficLog {
  record(kind: TrafficKind): void
  /** Stores what has gathered. To be called before the store is closed. */
  flush(): void
}

export interface TrafficLogDeps {
  readonly store: Pick<Store, 'transaction' | 'traffic'>
  readonly clock: Clock
  /** At most so much of this traffic is lost in a crash. */
  readonly delayMs?: number
}

export function createTrafficLog({ store, clock, delayMs = 500 }: TrafficLogDeps): TrafficLog {
  const gathered = new Map<string, { readonly day: number; readonly kind: TrafficKind; count: number }>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (gathered.size === 0) return
    try {
      store.transaction(() => {
        for (const { day, kind, count } of gathered.values()) store.traffic.add(day, kind, count)
      })
      gathered.clear()
    } catch {
      // The store is busy or full. What has gathered stays, and is tried again.
      schedule()
    }
  }

  function schedule(): void {
    timer ??= setTimeout(flush, delayMs)
    timer.unref()
  }

  return {
    record(kind) {
      const day = utcDay(clock.now())
      const name = `${day} ${kind.endpoint} ${kind.auth} ${kind.status}`
      const row = gathered.get(name)
      if (row === undefined) gathered.set(name, { day, kind, count: 1 })
      else row.count += 1
      schedule()
    },
    flush,
  }
}
