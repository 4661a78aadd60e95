import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import type { StoredRevision } from '../../src/brands/brand-loader.ts'
import type { BrandUse } from '../../src/store/brand-days.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import { type BrandFormState, type ShownFile, textsOf, usualSample } from './brand-fields.ts'

/** Rows of the history, and names of keys. */
const revisionsPerPage = 12
const keysMax = 50

/** A brand with what its pages show beside the form. */
export interface ShownBrand {
  readonly brand: BrandEntry
  readonly revisions: readonly StoredRevision[]
  /** The revision before those. */
  readonly before: StoredRevision | undefined
  /** Some of the keys that may use it, while it is restricted. */
  readonly keys: readonly KeyRow[]
  readonly use: BrandUse
  /** Scheme and host, for addresses to copy. */
  readonly origin: string
}

/** @param beforeRevision the history begins below it */
export async function readShownBrand(
  { brands, keys }: AdminDeps,
  brand: BrandEntry,
  origin: string,
  beforeRevision = Number.MAX_SAFE_INTEGER,
): Promise<ShownBrand> {
  const { slug, access, keyIds, revision: newest } = brand
  const before = Math.min(beforeRevision, newest + 1)
  const rows = await brands.history(slug, revisionsPerPage + 1, before)
  const revisions = await Promise.all(rows.map(({ revision }) => brands.revision(slug, revision)))
  const ids = access === 'keys' ? [...keyIds].slice(0, keysMax) : []
  const found = await Promise.all(ids.map(async (id) => await keys.find(id)))
  return {
    brand,
    revisions: revisions.slice(0, revisionsPerPage),
    before: revisions[revisionsPerPage],
    keys: found.filter((key) => key !== undefined),
    use: await brands.use(slug),
    origin,
  }
}

/** The form of a brand's newest revision. */
export async function newestForm({ brands }: AdminDeps, brand: BrandEntry): Promise<BrandFormState> {
  const { slug, revision, access } = brand
  const { name, look, files } = await brands.revision(slug, revision)
  return { ...emptyForm, texts: textsOf(look, { name, slug, access }), files: shownFiles(files), revision }
}

/** The form of a new brand. */
export const emptyForm: BrandFormState = {
  texts: {},
  files: {},
  removed: [],
  mistakes: {},
  sample: usualSample,
  revision: 0,
}

function shownFiles(files: StoredRevision['files']): BrandFormState['files'] {
  const shown: Partial<Record<BrandFileField, ShownFile>> = {}
  for (const { field, uploadName, uploadBytes } of files)
    shown[field] = { name: uploadName, bytes: uploadBytes }
  return shown
}
