import { and, asc, desc, eq, getTableColumns, gt, like, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { Steps } from './operation.ts'
import { anyNumber, anyText, queriesOf } from './query.ts'
import { brandFiles, brandKeys, brandRevisionFiles, brandRevisions, brands } from './schema.ts'

export type BrandRow = Readonly<typeof brands.$inferSelect>
export type BrandRevisionRow = Readonly<typeof brandRevisions.$inferSelect>
export type BrandRevisionFileRow = Readonly<typeof brandRevisionFiles.$inferSelect>
export type BrandFileRow = Readonly<typeof brandFiles.$inferSelect>

/** Who may have cards of a brand: everybody, or the keys that the operator chose. */
export type BrandAccess = BrandRow['access']

export type BrandFileField = BrandRevisionFileRow['field']

/** Brands, all their revisions, and the files of these. Revisions and files are never changed or removed. */
export function createBrandTable(database: Database) {
  return {
    ...createBrands(database),
    ...createRevisions(database),
    ...createFiles(database),
    ...createBrandKeys(database),
  }
}

function createBrands(database: Database) {
  const { one, all, write, insert } = queriesOf(database)
  const durable = queriesOf(database, true)
  const columns = getTableColumns(brands)
  const { slug, revision, access, archivedAtMs } = columns
  const bySlug = all({}, (_, { select }) => select(columns).from(brands).orderBy(slug))
  const find = one({ slug }, (of, { select }) => select(columns).from(brands).where(eq(slug, of.slug)))
  const raise = write({ slug, revision, access }, (of, { update }) =>
    update(brands).set({ revision: of.revision, access: of.access }).where(eq(slug, of.slug)),
  )
  const setArchived = durable.change({ slug, archivedAtMs }, (of, { update }) =>
    update(brands).set({ archivedAtMs: of.archivedAtMs }).where(eq(slug, of.slug)),
  )
  return {
    all: () => bySlug({}),
    find: (slug: string) => find({ slug }),
    insert: insert(brands),
    /** Counts the next revision. */
    raise: (revision: number, access: BrandAccess, slug: string) => raise({ slug, revision, access }),
    /** Returns false if there is no such brand. */
    setArchived: (archivedAtMs: number | null, slug: string) => setArchived({ slug, archivedAtMs }),
  }
}

function createRevisions(database: Database) {
  const { one, all, insert } = queriesOf(database)
  const columns = getTableColumns(brandRevisions)
  const { slug, revision, digest, name } = columns
  const find = one({ slug, revision }, (of, { select }) =>
    select(columns).from(brandRevisions).where(matches({ slug, revision }, of)),
  )
  const before = all({ slug, beforeRevision: revision, limit: anyNumber }, (of, { select }) =>
    select(columns)
      .from(brandRevisions)
      .where(and(eq(slug, of.slug), lt(revision, of.beforeRevision)))
      .orderBy(desc(revision))
      .limit(of.limit),
  )
  const digests = all({ slug, afterRevision: revision }, (of, { select }) =>
    select({ digest, name })
      .from(brandRevisions)
      .where(and(eq(slug, of.slug), gt(revision, of.afterRevision)))
      .orderBy(asc(revision)),
  )
  return {
    insertRevision: insert(brandRevisions),
    revision: (slug: string, revision: number) => find({ slug, revision }),
    /** Every revision of a brand, newest first, at most `limit` below `beforeRevision`. */
    revisions: (slug: string, beforeRevision: number, limit: number) =>
      before({ slug, beforeRevision, limit }),
    /** The digests of a brand's revisions after one, in their order. */
    digests: (slug: string, afterRevision: number) => digests({ slug, afterRevision }),
  }
}

function createFiles(database: Database) {
  const { one, all, insert, insertUnlessKnown } = queriesOf(database)
  const { slug, revision, field } = brandRevisionFiles
  const { sha256, mediaType, facts } = brandFiles
  const filesOf = all({ slug, revision }, (of, { select }) =>
    select(getTableColumns(brandRevisionFiles))
      .from(brandRevisionFiles)
      .where(matches({ slug, revision }, of))
      .orderBy(field),
  )
  const file = one({ sha256 }, (of, { select }) =>
    select(getTableColumns(brandFiles)).from(brandFiles).where(eq(sha256, of.sha256)),
  )
  const jpegWithKey = one({ pattern: anyText }, (of, { select }) =>
    select(getTableColumns(brandFiles))
      .from(brandFiles)
      .where(and(sql`${mediaType} = 'image/jpeg'`, like(facts, of.pattern)))
      .limit(1),
  )
  return {
    insertFileOf: insert(brandRevisionFiles),
    filesOf: (slug: string, revision: number) => filesOf({ slug, revision }),
    /** Stores the bytes unless they are stored already. */
    addFile: insertUnlessKnown(brandFiles),
    file: (sha256: string) => file({ sha256 }),
    /** A stored picture by the SHA-256 of its JPEG, in hex. */
    jpegWithKey: (key: string) => jpegWithKey({ pattern: `%"key":"${key}"%` }),
  }
}

function createBrandKeys(database: Database) {
  const { all, write, insert } = queriesOf(database)
  const { slug, keyId } = brandKeys
  const keys = all({}, (_, { select }) => select({ slug, keyId }).from(brandKeys).orderBy(slug, keyId))
  const removeKey = write({ keyId }, (of, { remove }) => remove(brandKeys).where(eq(keyId, of.keyId)))
  const addKey = insert(brandKeys)
  return {
    /** Which keys may use which brands. */
    keys: () => keys({}),
    /** Lets a key use these brands and no others. Belongs into a transaction. */
    *setKey(keyId: string, slugs: readonly string[]): Steps<void> {
      yield* removeKey({ keyId })
      for (const slug of slugs) yield* addKey({ slug, keyId })
    },
  }
}
