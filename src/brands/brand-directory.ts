import { type Clock, utcDay } from '../lib/clock.ts'
import type { BrandAccess, BrandUse } from '../store/brands.ts'
import type { Store } from '../store/open.ts'

export interface BrandEntry {
  readonly slug: string
  readonly name: string
  readonly revision: number
  readonly access: BrandAccess
  /** The keys that may use it while `access` is `keys`. */
  readonly keyIds: ReadonlySet<string>
  readonly archivedAtMs: number | undefined
  readonly createdAtMs: number
  /** Digests of revision 1, 2, …: equal digests, equal looks. */
  readonly digests: readonly string[]
}

export type BrandDirectory = ReturnType<typeof createBrandDirectory>

/** All brands in memory. Own changes are read at once, those of other processes by the watch of changes, some times a second. */
export function createBrandDirectory({
  brands,
  changes,
}: Pick<Store, 'brands'> & { readonly changes: Pick<Store['changes'], 'followBrands'> }) {
  let entries: ReadonlyMap<string, BrandEntry> = new Map()
  let version = 0
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function read(): Promise<void> {
    const [rows, keys] = await Promise.all([brands.all(), brands.keys()])
    const keysOf = Map.groupBy(keys, ({ slug }) => slug)
    const found = await Promise.all(
      rows.map(async ({ slug, revision, archivedAtMs, ...row }): Promise<BrandEntry> => {
        const { name = '', digests = [] } = entries.get(slug) ?? {}
        const added = digests.length < revision ? await brands.digests(slug, digests.length) : []
        const all = [...digests, ...added.map(({ digest }) => digest)]
        return {
          ...row,
          slug,
          // A revision that was added after the brands were read is found again the next time.
          revision: all.length,
          name: added.at(-1)?.name ?? name,
          digests: all,
          keyIds: new Set(keysOf.get(slug)?.map(({ keyId }) => keyId)),
          archivedAtMs: archivedAtMs ?? undefined,
        }
      }),
    )
    entries = new Map(found.map((entry) => [entry.slug, entry]))
    version += 1
  }

  /** Reads what is stored now, also where another reading is on its way that may have begun before. */
  function refresh(): Promise<void> {
    next ??= (reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined
        reading = read()
        return reading
      })
    return next
  }

  changes.followBrands(refresh)

  return {
    refresh,
    find: (slug: string): BrandEntry | undefined => entries.get(slug),
    list: (): readonly BrandEntry[] => [...entries.values()],
    /** Another number after each reading. */
    version: () => version,
  }
}

/** The time that counts stay in memory, where a crash loses them: they only tell the operator what is in use. */
const delayMs = 1_000
/** Counts that may wait to be stored, one for each brand and caller; more are not counted. */
const countsMax = 20_000
const useDays = 30

/** Counts the cards of each brand by day and caller. */
export function createBrandUse(store: Pick<Store, 'brandDays' | 'transaction'>, clock: Clock) {
  let waiting = new Map<string, readonly [day: number, slug: string, caller: string, count: number]>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function add(day: number, slug: string, caller: string, count: number): void {
    const name = `${day} ${slug} ${caller}`
    const existing = waiting.get(name)
    if (existing === undefined && waiting.size >= countsMax) return
    waiting.set(name, [day, slug, caller, count + (existing?.[3] ?? 0)])
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
        for (const [, row] of sorted) yield* store.brandDays.add(...row)
      })
    } catch {
      // The store is busy or away: the counts are kept and tried again.
      for (const row of counts.values()) add(...row)
    }
  }

  return {
    /** @param caller a key's id, `demo` or `payment` */
    count: (slug: string, caller: string): void => add(utcDay(clock.now()), slug, caller, 1),
    flush,
    /** Cards of the brand in the last 30 days, and the keys that had them: what archiving would break. */
    read: (slug: string): PromiseLike<BrandUse> =>
      store.brandDays.use(slug, utcDay(clock.now()) - useDays + 1),
  }
}
