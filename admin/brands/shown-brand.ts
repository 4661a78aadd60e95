import { mayCall } from '../../src/access/key-limits.ts'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { keyFault } from '../../src/access/keys.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'

const revisionsPerPage = 12
const keysMax = 50

export type ShownBrand = Awaited<ReturnType<typeof readShownBrand>>

export async function readShownBrand(
  deps: AdminDeps,
  brand: BrandEntry,
  origin: string,
  beforeRevision = Number.MAX_SAFE_INTEGER,
) {
  const { brands, keys } = deps
  const { slug, access, keyIds, revision: newest } = brand
  const before = Math.min(beforeRevision, newest + 1)
  const rows = await brands.history(slug, revisionsPerPage + 1, before)
  const revisions = await Promise.all(rows.map(({ revision }) => brands.revision(slug, revision)))
  const ids = access === 'keys' ? [...keyIds].slice(0, keysMax) : []
  const found = (await Promise.all(ids.map(async (id) => await keys.find(id)))).filter(
    (key) => key !== undefined,
  )
  return {
    brand,
    revisions: revisions.slice(0, revisionsPerPage),
    before: revisions[revisionsPerPage],
    keys: found,
    use: await brands.use(slug),
    examples: await examplesOf(deps, brand, origin, found),
  }
}

/** The demo calls for a brand of everybody; for one of chosen keys an address that the first of them signs. */
async function examplesOf(
  { config, clock, secrets }: AdminDeps,
  { slug, revision, access, archivedAtMs }: BrandEntry,
  origin: string,
  keys: readonly KeyRow[],
) {
  if (archivedAtMs !== undefined) return undefined
  const names = [slug, `${slug}@${revision}`]
  if (access === 'everyone') {
    if (config.DEMO_DAILY_QUOTA === 0) return undefined
    const [newest = '', fixed = ''] = names.map(
      (brand) => `${origin}/api/og?brand=${brand}&title=Hello&demo=1`,
    )
    return { newest, revision: fixed, key: undefined }
  }
  const nowMs = clock.now()
  const key = keys.find(
    (one) =>
      keyFault(one, nowMs) === undefined &&
      mayCall(one, 'og') &&
      dailyLimitOf(one, config.KEY_DAILY_QUOTA, nowMs) !== 0,
  )
  if (key === undefined) return undefined
  const pair = { key: key.id, secret: secrets.secretOf(key.id, key.version) }
  const [newest = '', fixed = ''] = await Promise.all(
    names.map((brand) => embedUrl(`${origin}/api/og`, { title: 'Hello', brand }, pair)),
  )
  return { newest, revision: fixed, key }
}
