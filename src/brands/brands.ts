import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { Clock } from '../lib/clock.ts'
import type { BrandAccess, BrandRevisionFileRow, BrandRevisionRow } from '../store/brands.ts'
import type { Executable, Steps } from '../store/database.ts'
import type { Store } from '../store/open.ts'
import { retryWhileLocked } from '../store/store-error.ts'
import {
  createBrandDirectory,
  createBrandLoader,
  createBrandUse,
  createCardBrands,
  draftBrand,
  filesAfter,
  type StoredRevision,
} from './brand-directory.ts'
import {
  type BrandChange,
  type BrandForm,
  type BrandLook,
  changedLook,
  type FieldMistake,
  lookDigest,
} from './brand-form.ts'
import { cacheReaders, checkForm, type UploadReaders } from './check-form.ts'

export type Brands = ReturnType<typeof createBrands>

/** Everything that is wrong with a form. Nothing of it was stored. */
interface Mistakes {
  readonly mistakes: readonly FieldMistake[]
}

interface SavedRevision {
  readonly slug: string
  readonly revision: number
}

/** Stored with a change, in the same transaction: the entry of an audit log. */
type Note<Change> = (change: Change) => Executable<void>

/** The brands of this installation. `refresh` is awaited once before they are used. */
export function createBrands({
  store,
  clock,
  readers: uncached,
}: {
  readonly store: Pick<Store, 'brands' | 'brandDays' | 'changes' | 'peers' | 'transaction'>
  readonly clock: Clock
  readonly readers: UploadReaders
}) {
  const readers = cacheReaders(uncached)
  const directory = createBrandDirectory(store)
  const { refresh, find, list } = directory
  const loader = createBrandLoader(store)
  const use = createBrandUse(store, clock)

  /** Stores a change with its note; undefined where nothing was changed. It is seen here at once, and by other processes within a second. */
  async function stored<Change>(
    steps: () => Steps<Change | undefined>,
    note: Note<Change> | undefined,
    ...locks: readonly string[]
  ): Promise<Change | undefined> {
    function* change(): Steps<Change | undefined> {
      const changed = yield* steps()
      if (changed !== undefined && note !== undefined) yield* note(changed)
      return changed
    }
    const changed = await retryWhileLocked(() => store.transaction(change, { durable: true, locks }))
    if (changed === undefined) return undefined
    store.changes.tell()
    // Where it cannot be read now, the watch reads it as soon as the database answers.
    await refresh().catch(() => {})
    return changed
  }

  async function setArchived(slug: string, atMs: number | null, note?: Note<string>): Promise<boolean> {
    function* steps(): Steps<string | undefined> {
      return (yield* store.brands.setArchived(atMs, slug)) ? slug : undefined
    }
    return (await stored(steps, note)) !== undefined
  }

  return {
    refresh,
    find,
    /** All brands by slug, archived ones too. */
    list,
    hasPublic: (): boolean =>
      list().some(({ access, archivedAtMs }) => access === 'everyone' && archivedAtMs === undefined),
    /** Cached, read-only view of the brands, used when drawing cards. */
    cards: createCardBrands(directory, loader, store.changes, use.count),
    /** The look of cards after a form was saved. Nothing is stored, so name, slug and access do not matter. */
    async preview(form: BrandForm, existing?: string): Promise<{ readonly brand: CardBrand } | Mistakes> {
      const entry = existing === undefined ? undefined : find(existing)
      const { change, mistakes } = await checkForm(form, existing, readers)
      const shown = mistakes.filter(({ field }) => !['name', 'slug', 'access'].includes(field))
      if (shown.length > 0) return { mistakes: shown }
      const last = entry && (await loader.revision(entry.slug, entry.revision))
      return { brand: await draftBrand(change, last, loader) }
    },
    /** Stores a new brand; with the slug of one that there is, its next revision. */
    async save(
      form: BrandForm,
      existing?: string,
      note?: Note<SavedRevision>,
    ): Promise<SavedRevision | Mistakes> {
      const isFirst = existing === undefined
      const { change, mistakes } = await checkForm(form, existing, readers)
      if (mistakes.length > 0) return { mistakes }
      // Older servers cannot start any more, because they refuse this version of the tables.
      if (change.files.themeFile && (await store.peers.hasOlder())) return { mistakes: [olderServers] }
      const slug = existing ?? form.texts.slug?.trim() ?? ''
      const steps = () => storeRevision(store.brands, slug, isFirst, change, clock.now())
      const message = isFirst ? 'is taken by another brand' : 'is no brand here'
      return (await stored(steps, note, lockOf(slug))) ?? { mistakes: [{ field: 'slug', message }] }
    },
    /** Makes an older revision the newest, by storing it once more. Returns its number; undefined if there is no such one. */
    async repeat(slug: string, revision: number, note?: Note<SavedRevision>): Promise<number | undefined> {
      const steps = () => repeatRevision(store.brands, slug, revision, clock.now())
      return (await stored(steps, note, lockOf(slug)))?.revision
    },
    /** From now on its URLs are errors, those that name a revision too. Returns false if there is no such brand. */
    archive: (slug: string, note?: Note<string>): Promise<boolean> => setArchived(slug, clock.now(), note),
    restore: (slug: string, note?: Note<string>): Promise<boolean> => setArchived(slug, null, note),
    /** Lets a key use these restricted brands, and no others. Returns the slugs that there are not; then nothing was changed. */
    async allow(
      keyId: string,
      slugs: readonly string[],
      note?: Note<readonly string[]>,
    ): Promise<readonly string[]> {
      const chosen = [...new Set(slugs)].sort()
      let unknown: readonly string[] = []
      function* steps(): Steps<readonly string[] | undefined> {
        const there = new Set((yield* store.brands.all()).map(({ slug }) => slug))
        unknown = chosen.filter((slug) => !there.has(slug))
        if (unknown.length > 0) return undefined
        yield* store.brands.setKey(keyId, chosen)
        return chosen
      }
      await stored(steps, note, `brands of ${keyId}`)
      return unknown
    },
    /** Revisions of a brand, newest first, at most `limit` below `beforeRevision`. */
    history: (
      slug: string,
      limit = 100,
      beforeRevision = Number.MAX_SAFE_INTEGER,
    ): PromiseLike<readonly BrandRevisionRow[]> => store.brands.revisions(slug, beforeRevision, limit),
    revision: async (slug: string, revision: number): Promise<StoredRevision> =>
      loader.revision(slug, revision),
    load: loader.load,
    themeFile: loader.themeFile,
    use: use.read,
    /** Stores what is counted now. To be called before the store is closed. */
    flush: use.flush,
  }
}

const olderServers: FieldMistake = {
  field: 'themeFile',
  message:
    'can be saved when all servers that share the database have this version: restart the older ones first',
}

function lockOf(slug: string): string {
  return `brand ${slug}`
}

/** Stores an older revision once more, as the newest; undefined where there is no such revision. */
function* repeatRevision(
  brands: Store['brands'],
  slug: string,
  revision: number,
  nowMs: number,
): Steps<SavedRevision | undefined> {
  const row = yield* brands.find(slug)
  const repeated = yield* brands.revision(slug, revision)
  if (row === undefined || repeated === undefined) return undefined
  const files = yield* brands.filesOf(slug, revision)
  const next = { ...repeated, revision: row.revision + 1, createdAtMs: nowMs }
  return yield* addRevision(brands, next, row.access, files)
}

/** Stores the next revision of a brand; undefined where a new brand's slug is taken, or where there is no such brand. */
function* storeRevision(
  brands: Store['brands'],
  slug: string,
  isFirst: boolean,
  change: BrandChange,
  nowMs: number,
): Steps<SavedRevision | undefined> {
  const row = yield* brands.find(slug)
  if ((row === undefined) !== isFirst) return undefined
  const revision = (row?.revision ?? 0) + 1
  const last = yield* brands.revision(slug, revision - 1)
  const { added, unchanged } = filesAfter(yield* brands.filesOf(slug, revision - 1), change)
  // In one order: transactions that bring the same files would else wait for each other.
  for (const { row: file } of added.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1)))
    yield* brands.addFile(file)
  const files = added.map(({ field, sha256, file: { uploadName, uploadBytes } }) => {
    return { slug, revision, field, sha256, uploadName, uploadBytes }
  })
  const look = changedLook(last === undefined ? {} : (JSON.parse(last.look) as BrandLook), change)
  const next = {
    slug,
    revision,
    name: change.name ?? last?.name ?? slug,
    look: JSON.stringify(look),
    digest: lookDigest(look, [...unchanged, ...files]),
    createdAtMs: nowMs,
  }
  const access = change.access ?? row?.access ?? 'everyone'
  return yield* addRevision(brands, next, access, [...unchanged, ...files])
}

/** @param files those of another revision too */
function* addRevision(
  brands: Store['brands'],
  row: BrandRevisionRow,
  access: BrandAccess,
  files: readonly BrandRevisionFileRow[],
): Steps<SavedRevision> {
  const { slug, revision, createdAtMs } = row
  if (revision === 1) yield* brands.insert({ slug, revision, access, createdAtMs, archivedAtMs: null })
  else yield* brands.raise(revision, access, slug)
  yield* brands.insertRevision(row)
  for (const file of files) yield* brands.insertFileOf({ ...file, revision })
  return { slug, revision }
}
