import { and, asc, desc, eq, getTableColumns, gt, gte, like, lt, sql } from 'drizzle-orm'
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
  const bySlug = all({}, (_, { select }) => select(getTableColumns(brands)).from(brands).orderBy(slug))
  const raise = write({ slug, revision, access }, (of, { update }) =>
    update(brands).set({ revision: of.revision, access: of.access }).where(eq(slug, of.slug)),
  )
  const setArchived = queriesOf(database, true).change({ slug, archivedAtMs }, (of, { update }) =>
    update(brands).set({ archivedAtMs: of.archivedAtMs }).where(eq(slug, of.slug)),
  )
  const before = all({ slug, beforeRevision: revision, limit: anyNumber }, (of, { select }) =>
    select(revisions)
      .from(brandRevisions)
      .where(and(eq(revisions.slug, of.slug), lt(revisions.revision, of.beforeRevision)))
      .orderBy(desc(revisions.revision))
      .limit(of.limit),
  )
  const digests = all({ slug, afterRevision: revision }, (of, { select }) =>
    select({ digest: revisions.digest, name: revisions.name })
      .from(brandRevisions)
      .where(and(eq(revisions.slug, of.slug), gt(revisions.revision, of.afterRevision)))
      .orderBy(asc(revisions.revision)),
  )
  const filesOf = all({ slug, revision }, (of, { select }) =>
    select(getTableColumns(brandRevisionFiles))
      .from(brandRevisionFiles)
      .where(matches({ slug: brandRevisionFiles.slug, revision: brandRevisionFiles.revision }, of))
      .orderBy(brandRevisionFiles.field),
  )
  const jpegWithKey = one({ pattern: anyText }, (of, { select }) =>
    select(getTableColumns(brandFiles))
      .from(brandFiles)
      .where(and(sql`${brandFiles.mediaType} = 'image/jpeg'`, like(brandFiles.facts, of.pattern)))
      .limit(1),
  )
  const { keyId } = brandKeys
  const keys = all({}, (_, { select }) =>
    select({ slug: brandKeys.slug, keyId }).from(brandKeys).orderBy(brandKeys.slug, keyId),
  )
  const removeKey = write({ keyId }, (of, { remove }) => remove(brandKeys).where(eq(keyId, of.keyId)))
  const addKey = insert(brandKeys)

  return {
    all: () => bySlug({}),
    find: rowBy(brands, slug),
    insert: insert(brands),
    raise: (revision: number, access: BrandAccess, slug: string) => raise({ slug, revision, access }),
    setArchived: (archivedAtMs: number | null, slug: string) => setArchived({ slug, archivedAtMs }),
    insertRevision: insert(brandRevisions),
    revision: rowBy(brandRevisions, revisions.slug, revisions.revision),
    revisions: (slug: string, beforeRevision: number, limit: number) =>
      before({ slug, beforeRevision, limit }),
    digests: (slug: string, afterRevision: number) => digests({ slug, afterRevision }),
    insertFileOf: insert(brandRevisionFiles),
    filesOf: (slug: string, revision: number) => filesOf({ slug, revision }),
    /** Stores the bytes unless they are stored already. */
    addFile: insertUnlessKnown(brandFiles),
    file: rowBy(brandFiles, brandFiles.sha256),
    /** A stored picture by the SHA-256 of its JPEG, in hex. */
    jpegWithKey: (key: string) => jpegWithKey({ pattern: `%"key":"${key}"%` }),
    keys: () => keys({}),
    /** Lets a key use these brands and no others. Belongs into a transaction. */
    *setKey(keyId: string, slugs: readonly string[]): Steps<void> {
      yield* removeKey({ keyId })
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
  const { one, addCount, prune } = queriesOf(database)
  const { day, slug, caller, count } = brandDays
  const add = addCount(brandDays, [day, slug, caller], count)
  const use = one({ slug, firstDay: day }, (of, { select }) =>
    select({
      cards: sql<number>`coalesce(sum(${count}), 0)`,
      keys: sql<number>`count(distinct case when ${caller} in ('demo', 'payment') then null else ${caller} end)`,
    })
      .from(brandDays)
      .where(and(eq(slug, of.slug), gte(day, of.firstDay))),
  )
  return {
    /** @param caller a key's id, `demo` or `payment` */
    add: (day: number, slug: string, caller: string, count: number) => add({ day, slug, caller, count }),
    use: (slug: string, firstDay: number) =>
      use({ slug, firstDay }).as((row): BrandUse => row ?? { cards: 0, keys: 0 }),
    prune: prune(brandDays, day, [day, slug, caller]),
  }
}
