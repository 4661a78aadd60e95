import { type Clock, utcDay } from '../lib/clock.ts'
import type { BrandUse } from '../store/brands.ts'
import type { Store } from '../store/open.ts'

interface BrandUseDeps {
  readonly store: Pick<Store, 'brandDays' | 'transaction'>
  readonly clock: Clock
}

interface Count {
  readonly day: number
  readonly slug: string
  readonly caller: string
  readonly count: number
}

/** How long counts stay in memory, where a crash loses them: they only tell the operator what is in use. */
const delayMs = 1_000
/** Counts that may wait to be stored, one for each brand and caller; more are not counted. */
const countsMax = 20_000
/** Over how many days the use of a brand is told. */
const useDays = 30

/** Counts the cards of each brand by day and caller. */
export function createBrandUse({ store, clock }: BrandUseDeps) {
  let waiting = new Map<string, Count>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function add({ day, slug, caller, count }: Count): void {
    const name = `${day} ${slug} ${caller}`
    const existing = waiting.get(name)
    if (existing === undefined && waiting.size >= countsMax) return
    waiting.set(name, { day, slug, caller, count: count + (existing?.count ?? 0) })
    timer ??= setTimeout(flush, delayMs)
    timer.unref()
  }

  /** Stores the counts now. To be called before the store is closed. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const counts = waiting
    waiting = new Map()
    // In one order, so that two processes never wait for each other's rows.
    const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
    try {
      await store.transaction(function* () {
        for (const [, { day, slug, caller, count }] of sorted)
          yield* store.brandDays.add(day, slug, caller, count)
      })
    } catch {
      // The store is busy or away: the counts are kept and tried again.
      for (const count of counts.values()) add(count)
    }
  }

  return {
    /** @param caller a key's id, `demo` or `payment` */
    count: (slug: string, caller: string): void => add({ day: utcDay(clock.now()), slug, caller, count: 1 }),
    flush,
    /** How many cards of the brand were given in the last 30 days, and to how many keys: what archiving would break. */
    read: (slug: string): PromiseLike<BrandUse> =>
      store.brandDays.use(slug, utcDay(clock.now()) - useDays + 1),
  }
}
