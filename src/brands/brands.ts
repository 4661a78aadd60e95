import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { Clock } from '../lib/clock.ts'
import type { BrandRevisionFileRow, BrandRevisionRow } from '../store/brands.ts'
import type { Executable, Steps } from '../store/database.ts'
import type { Store } from '../store/open.ts'
import { retryWhileLocked } from '../store/store-error.ts'
import { createBrandDirectory, createBrandUse } from './brand-directory.ts'
import {
  type BrandChange,
  type BrandForm,
  type BrandLook,
  brandFileFields,
  changedLook,
  type FieldMistake,
  lookDigest,
} from './brand-form.ts'
import {
  createBrandLoader,
  createCardBrands,
  draftBrand,
  type StoredRevision,
  storedFile,
} from './brand-loader.ts'
import { checkForm } from './check-form.ts'
import { cacheReaders, type UploadReaders } from './read-uploads.ts'

export type Brands = ReturnType<typeof createBrands>

interface BrandsDeps {
  readonly store: Pick<Store, 'brands' | 'brandDays' | 'changes' | 'peers' | 'transaction'>
  readonly clock: Clock
  readonly readers: UploadReaders
}

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
export function createBrands({ store, clock, readers: uncached }: BrandsDeps) {
  const readers = cacheReaders(uncached)
  const directory = createBrandDirectory(store)
  const { refresh, find, list } = directory
  const loader = createBrandLoader(store)
  const use = createBrandUse(store, clock)
  /** The change is stored. Where it cannot be read now, the watch reads it as soon as the database answers. */
  async function refreshed(): Promise<void> {
    store.changes.tell()
    await refresh().catch(() => {})
  }
  return {
    ...createRevisionWriter({ store, clock, readers }, refreshed),
    ...createAccessWriter({ store, clock }, refreshed),
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

/** Adds revisions. A change is seen here at once, and by other processes within a second. */
function createRevisionWriter({ store, clock, readers }: BrandsDeps, refreshed: () => Promise<void>) {
  /** Stores a revision and its note, and returns the number; undefined where nothing was stored. */
  async function addRevision(
    slug: string,
    add: (nowMs: number) => Steps<number | undefined>,
    note: Note<SavedRevision> | undefined,
  ): Promise<number | undefined> {
    function* change(): Steps<number | undefined> {
      const revision = yield* add(clock.now())
      if (revision !== undefined && note !== undefined) yield* note({ slug, revision })
      return revision
    }
    const revision = await retryWhileLocked(() =>
      store.transaction(change, { durable: true, locks: [`brand ${slug}`] }),
    )
    if (revision !== undefined) await refreshed()
    return revision
  }

  return {
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
      const add = (nowMs: number) => storeRevision(store.brands, slug, isFirst, change, nowMs)
      const revision = await addRevision(slug, add, note)
      if (revision !== undefined) return { slug, revision }
      return {
        mistakes: [{ field: 'slug', message: isFirst ? 'is taken by another brand' : 'is no brand here' }],
      }
    },
    /** Makes an older revision the newest, by storing it once more. Returns its number; undefined if there is no such one. */
    repeat: (slug: string, revision: number, note?: Note<SavedRevision>): Promise<number | undefined> =>
      addRevision(slug, (nowMs) => repeatRevision(store.brands, slug, revision, nowMs), note),
  }
}

const olderServers: FieldMistake = {
  field: 'themeFile',
  message:
    'can be saved when all servers that share the database have this version: restart the older ones first',
}

function createAccessWriter({ store, clock }: Omit<BrandsDeps, 'readers'>, refreshed: () => Promise<void>) {
  async function setArchived(
    slug: string,
    archivedAtMs: number | null,
    note?: Note<string>,
  ): Promise<boolean> {
    function* change(): Steps<boolean> {
      const isThere = yield* store.brands.setArchived(archivedAtMs, slug)
      if (isThere && note !== undefined) yield* note(slug)
      return isThere
    }
    const isDone = await retryWhileLocked(() => store.transaction(change, { durable: true }))
    await refreshed()
    return isDone
  }

  return {
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
      const unknown = await retryWhileLocked(() =>
        store.transaction(
          function* () {
            const there = new Set((yield* store.brands.all()).map(({ slug }) => slug))
            const missing = chosen.filter((slug) => !there.has(slug))
            if (missing.length > 0) return missing
            yield* store.brands.setKey(keyId, chosen)
            if (note !== undefined) yield* note(chosen)
            return missing
          },
          { durable: true, locks: [`brands of ${keyId}`] },
        ),
      )
      await refreshed()
      return unknown
    },
  }
}

/**
 * Stores an older revision once more, as the newest, in a transaction that holds the lock of the brand. Returns its number;
 * undefined where there is no such revision.
 */
function* repeatRevision(
  brands: Store['brands'],
  slug: string,
  revision: number,
  nowMs: number,
): Steps<number | undefined> {
  const row = yield* brands.find(slug)
  const repeated = yield* brands.revision(slug, revision)
  if (row === undefined || repeated === undefined) return undefined
  const next = row.revision + 1
  yield* brands.raise(next, row.access, slug)
  yield* brands.insertRevision({ ...repeated, revision: next, createdAtMs: nowMs })
  for (const file of yield* brands.filesOf(slug, revision))
    yield* brands.insertFileOf({ ...file, revision: next })
  return next
}

/**
 * Stores the next revision of a brand, in a transaction that holds its lock. Returns its number; undefined where a new brand's slug
 * is taken, or where there is no such brand.
 */
function* storeRevision(
  brands: Store['brands'],
  slug: string,
  isFirst: boolean,
  change: BrandChange,
  nowMs: number,
): Steps<number | undefined> {
  const row = yield* brands.find(slug)
  if ((row === undefined) !== isFirst) return undefined
  const revision = (row?.revision ?? 0) + 1
  const last = yield* brands.revision(slug, revision - 1)
  const files = yield* changedFiles(brands, slug, revision, change)
  const look = changedLook(last === undefined ? {} : (JSON.parse(last.look) as BrandLook), change)
  const access = change.access ?? row?.access ?? 'everyone'
  if (row === undefined)
    yield* brands.insert({ slug, revision, access, createdAtMs: nowMs, archivedAtMs: null })
  else yield* brands.raise(revision, access, slug)
  yield* brands.insertRevision({
    slug,
    revision,
    name: change.name ?? last?.name ?? slug,
    look: JSON.stringify(look),
    digest: lookDigest(look, files),
    createdAtMs: nowMs,
  })
  for (const file of files) yield* brands.insertFileOf(file)
  return revision
}

/** Stores the new files, and returns all that the revision uses. */
function* changedFiles(
  brands: Store['brands'],
  slug: string,
  revision: number,
  { files: changes }: BrandChange,
): Steps<readonly BrandRevisionFileRow[]> {
  const added = brandFileFields.flatMap((field) => {
    const change = changes[field]
    return change ? [{ field, change, file: storedFile(change.content) }] : []
  })
  // In one order: transactions that bring the same files would else wait for each other.
  for (const { file } of added.toSorted((one, other) => (one.file.sha256 < other.file.sha256 ? -1 : 1)))
    yield* brands.addFile(file)
  const lastFiles = yield* brands.filesOf(slug, revision - 1)
  const unchangedFiles = lastFiles.filter(({ field }) => changes[field] === undefined)
  return [
    ...unchangedFiles.map((file) => ({ ...file, revision })),
    ...added.map(({ field, change: { uploadName, uploadBytes }, file: { sha256 } }) => {
      return { slug, revision, field, sha256, uploadName, uploadBytes }
    }),
  ]
}
