import type { CardBrands, ResolvedBrand } from '../assets/og/brand/card-brand.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { BrandDirectory } from './brand-directory.ts'
import type { BrandLoader } from './brand-loader.ts'

interface CardBrandsDeps {
  readonly directory: Pick<BrandDirectory, 'find' | 'version'>
  readonly loader: Pick<BrandLoader, 'load'>
  readonly changes: Pick<ChangeWatch, 'ageMs' | 'check'>
  readonly count: (slug: string, caller: string) => void
}

/** How old the last look for changes by other processes may be. */
const changesMsMax = 1_000

/** The brands, as cards ask for them. Only the files of a revision are read from the database, and only once. */
export function createCardBrands({ directory, loader, changes, count }: CardBrandsDeps): CardBrands {
  function resolve(given: string): ResolvedBrand | string {
    const [slug = '', number] = given.split('@')
    const entry = directory.find(slug)
    if (entry === undefined) return `must be the slug of a brand, and there is no brand ${slug}`
    if (entry.archivedAtMs !== undefined) return `must be a brand in use, and ${slug} is archived`
    const revision = number === undefined ? entry.revision : Number(number)
    const digest = entry.digests[revision - 1]
    if (digest === undefined)
      return `must be a revision that there is: ${slug} has 1 to ${entry.revision}, not ${revision}`
    const version = directory.version()
    return {
      reference: `${slug}@${revision}`,
      key: digest,
      keyIds: entry.access === 'keys' ? entry.keyIds : undefined,
      isCurrent: () => version === directory.version(),
      recheck: () => (changes.ageMs() <= changesMsMax ? undefined : changes.check()),
      count: ({ mode, keyId = mode }) => count(slug, keyId),
    }
  }

  return {
    resolve,
    load(reference) {
      const [slug = '', number] = reference.split('@')
      return loader.load(slug, Number(number))
    },
  }
}
