import type { BrandAccess } from '../store/brands.ts'
import type { Store } from '../store/open.ts'

/** A brand as it was read last, without its files. */
export interface BrandEntry {
  readonly slug: string
  /** Name in the newest revision. */
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

interface BrandDirectoryDeps extends Pick<Store, 'brands'> {
  readonly changes: Pick<Store['changes'], 'followBrands'>
}

export type BrandDirectory = ReturnType<typeof createBrandDirectory>

/**
 * All brands in memory, so that a request needs no database to find one. Own changes are read at once, and those of other
 * processes by the watch of changes, several times a second.
 */
export function createBrandDirectory({ brands, changes }: BrandDirectoryDeps) {
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
    /** All brands by slug. */
    list: (): readonly BrandEntry[] => [...entries.values()],
    /** Another number after each reading. */
    version: () => version,
  }
}
