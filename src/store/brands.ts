import { and, desc, eq, getTableColumns, gt, gte, like, lt, sql } from 'drizzle-orm'
import type { Database, Steps } from './database.ts'
import { anyNumber, anyText, matches, queriesOf } from './query.ts'
import { brandDays, brandFiles, brandKeys, brandRevisionFiles, brandRevisions, brands } from './schema.ts'

export type BrandRow = Readonly<typeof brands.$inferSelect>
export type BrandRevisionRow = Readonly<typeof brandRevisions.$inferSelect>
export type BrandRevisionFileRow = Readonly<typeof brandRevisionFiles.$inferSelect>
export type BrandFileRow = Readonly<typeof brandFiles.$inferSelect>

export type BrandAccess = BrandRow['access']

export type BrandFileField = BrandRevisionFileRow['field']

/** Brands, all their revisions, and the files of these. Revisions and files are never changed or removed. */
export function createBrandTable(database: Database) {
  const { all, one, rowBy, write, insert, insertUnlessKnown } = queriesOf(database)
  const { slug, revision, access, archivedAtMs } = brands
  const revisions = getTableColumns(brandRevisions)
  const files = getTableColumns(brandRevisionFiles)
  const { keyId } = brandKeys
  const jpegLike = one([anyText], ([pattern], { select }) =>
    select(getTableColumns(brandFiles))
      .from(brandFiles)
      .where(and(sql`${brandFiles.mediaType} = 'image/jpeg'`, like(brandFiles.facts, pattern)))
      .limit(1),
  )
  const removeKey = write([keyId], ([of], { remove }) => remove(brandKeys).where(eq(keyId, of)))
  const addKey = insert(brandKeys)

  return {
    all: all([], (_, { select }) => select(getTableColumns(brands)).from(brands).orderBy(slug)),
    find: rowBy(brands, slug),
    insert: insert(brands),
    raise: write([revision, access, slug], ([newRevision, newAccess, of], { update }) =>
      update(brands).set({ revision: newRevision, access: newAccess }).where(eq(slug, of)),
    ),
    setArchived: queriesOf(database, true).change([archivedAtMs, slug], ([atMs, of], { update }) =>
      update(brands).set({ archivedAtMs: atMs }).where(eq(slug, of)),
    ),
    insertRevision: insert(brandRevisions),
    revision: rowBy(brandRevisions, revisions.slug, revisions.revision),
    /** The newest before a revision. */
    revisions: all([slug, revision, anyNumber], ([of, before, limit], { select }) =>
      select(revisions)
        .from(brandRevisions)
        .where(and(eq(revisions.slug, of), lt(revisions.revision, before)))
        .orderBy(desc(revisions.revision))
        .limit(limit),
    ),
    /** Digests of the revisions after one. */
    digests: all([slug, revision], ([of, after], { select }) =>
      select({ digest: revisions.digest, name: revisions.name })
        .from(brandRevisions)
        .where(and(eq(revisions.slug, of), gt(revisions.revision, after)))
        .orderBy(revisions.revision),
    ),
    insertFileOf: insert(brandRevisionFiles),
    filesOf: all([slug, revision], (of, { select }) =>
      select(files)
        .from(brandRevisionFiles)
        .where(matches([files.slug, files.revision], of))
        .orderBy(files.field),
    ),
    /** Stores the bytes unless they are stored already. */
    addFile: insertUnlessKnown(brandFiles),
    file: rowBy(brandFiles, brandFiles.sha256),
    /** A stored picture by the SHA-256 of its JPEG, in hex. */
    jpegWithKey: (key: string) => jpegLike(`%"key":"${key}"%`),
    keys: all([], (_, { select }) =>
      select({ slug: brandKeys.slug, keyId }).from(brandKeys).orderBy(brandKeys.slug, keyId),
    ),
    /** Lets a key use these brands and no others. Belongs into a transaction. */
    *setKey(keyId: string, slugs: readonly string[]): Steps<void> {
      yield* removeKey(keyId)
      for (const slug of slugs) yield* addKey({ slug, keyId })
    },
  }
}

export interface BrandUse {
  readonly cards: number
  /** Keys that asked for them. */
  readonly keys: number
}

/** Cards of each brand that each caller was given on each UTC day, in days since 1970-01-01. */
export function createBrandDayTable(database: Database) {
  const { one, addCounts, prune } = queriesOf(database)
  const { day, slug, caller, count } = brandDays
  const add = addCounts(brandDays, [day, slug, caller], 'count')
  const use = one([slug, day], ([of, firstDay], { select }) =>
    select({
      cards: sql<number>`coalesce(sum(${count}), 0)`,
      keys: sql<number>`count(distinct case when ${caller} in ('demo', 'payment') then null else ${caller} end)`,
    })
      .from(brandDays)
      .where(and(eq(slug, of), gte(day, firstDay))),
  )

  return {
    /** @param caller a key's id, `demo` or `payment` */
    add: (day: number, slug: string, caller: string, count: number) => add({ day, slug, caller, count }),
    use: (slug: string, firstDay: number) =>
      use(slug, firstDay).as((row): BrandUse => row ?? { cards: 0, keys: 0 }),
    prune: prune(brandDays, day, [day, slug, caller]),
  }
}
