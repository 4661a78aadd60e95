import { and, desc, eq, getTableColumns, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Operation } from './database.ts'
import { anyNumber, queriesOf } from './query.ts'
import { webPictures, webSources } from './schema.ts'

export type WebSource = Readonly<typeof webSources.$inferSelect>

export type WebSourceList = 'all' | 'failing' | 'blocked'

export function createWebSourceTable(database: Database) {
  const { all, change, number, rowBy, run, write } = queriesOf(database)
  const columns = getTableColumns(webSources)
  const { digest, kind, url, facts, etag, lastModified, readAtMs, usedAtMs, claimedUntilMs } = columns
  const { reason, failedAtMs, goneAtMs, failures, requests, isBlocked, renewals } = columns
  function listing(condition: SQL | undefined) {
    return all([anyNumber], ([limit], { select }) =>
      select(columns).from(webSources).where(condition).orderBy(desc(requests), digest).limit(limit),
    )
  }
  const lists = {
    all: listing(undefined),
    failing: listing(isNotNull(failedAtMs)),
    blocked: listing(ne(isBlocked, 0)),
  }
  const atMs = anyNumber
  const setBlocked = change([digest, isBlocked], ([of, flag], { update }) =>
    update(webSources).set({ isBlocked: flag }).where(eq(digest, of)),
  )

  return {
    find: rowBy(webSources, digest),
    list: (which: WebSourceList, limit: number): Operation<readonly WebSource[]> => lists[which](limit),
    setRead: write({ digest, kind, url, facts, etag, lastModified, atMs }, ({ atMs, ...of }, { insert }) =>
      insert(webSources)
        .values({ ...of, readAtMs: atMs, usedAtMs: atMs })
        .onConflictDoUpdate({
          target: digest,
          set: {
            kind: sql`excluded.kind`,
            facts: sql`excluded.facts`,
            etag: sql`excluded.etag`,
            lastModified: sql`excluded.last_modified`,
            readAtMs: sql`excluded.read_at_ms`,
            failedAtMs: null,
            reason: null,
            goneAtMs: null,
            claimedUntilMs: 0,
          },
        }),
    ),
    /** It could not be read. The facts stay. */
    setFailed: write({ digest, kind, url, reason, atMs }, ({ atMs, ...of }, { insert }) =>
      insert(webSources)
        .values({ ...of, failedAtMs: atMs, goneAtMs: atMs, usedAtMs: atMs, failures: 1 })
        .onConflictDoUpdate({
          target: digest,
          set: {
            failedAtMs: sql`excluded.failed_at_ms`,
            reason: sql`excluded.reason`,
            goneAtMs: sql`coalesce(${goneAtMs}, excluded.gone_at_ms)`,
            failures: sql`${failures} + 1`,
            claimedUntilMs: 0,
          },
        }),
    ),
    /** Claims a source until the last of the times; whether it was free, and as old as is known here: 0 if it was never read. */
    claim: change([digest, atMs, atMs, claimedUntilMs], ([of, readBeforeMs, nowMs, untilMs], { update }) =>
      update(webSources)
        .set({ claimedUntilMs: untilMs })
        .where(
          and(
            eq(digest, of),
            sql`coalesce(${readAtMs}, 0) = ${readBeforeMs}`,
            // The clock may have been set back since the claim.
            or(lt(claimedUntilMs, nowMs), sql`${claimedUntilMs} > ${untilMs}`),
          ),
        ),
    ),
    addUse: write([digest, anyNumber, usedAtMs], ([of, added, atMs], { update }) =>
      update(webSources)
        .set({ requests: sql`${requests} + ${added}`, usedAtMs: atMs })
        .where(eq(digest, of)),
    ),
    count: number([kind], ([of], { select }) =>
      select({ number: sql<number>`count(*)`.as('number') })
        .from(webSources)
        .where(eq(kind, of)),
    ),
    /** Blocks a source, which nobody may read or use then, or allows it again. Returns whether there is one. */
    setBlocked: (digest: string, isBlocked: boolean) => setBlocked(digest, isBlocked ? 1 : 0),
    renew: change([digest], ([of], { update }) =>
      update(webSources)
        .set({ renewals: sql`${renewals} + 1` })
        .where(eq(digest, of)),
    ),
    /** Removes so many sources, those without facts first, then those that were not used for longest; returns how many. */
    prune: run([kind, anyNumber], ([of, limit], { select, remove }) => {
      const unused = select({ digest })
        .from(webSources)
        .where(and(eq(kind, of), eq(isBlocked, 0)))
        // Anybody can name pages that do not exist.
        .orderBy(desc(sql`${facts} is null`), usedAtMs)
        .limit(limit)
      return remove(webSources).where(sql`${digest} in ${unused}`)
    }),
    /** Removes at most so many sources of this kind that cannot be read since then, and returns how many. */
    pruneGone: run([kind, anyNumber, anyNumber], ([of, beforeMs, limit], { select, remove }) => {
      const gone = select({ digest })
        .from(webSources)
        .where(and(eq(kind, of), lt(goneAtMs, beforeMs), eq(isBlocked, 0)))
        .limit(limit)
      return remove(webSources).where(sql`${digest} in ${gone}`)
    }),
  }
}

/** Pictures by the digests of their sources, which take them along when they are removed. */
export function createWebPictureTable(database: Database) {
  const { exists, one, rowBy, upsert } = queriesOf(database)
  const { digest, size } = webPictures
  const sums = one([], (_, { select }) =>
    select({
      count: sql<number>`count(*)`.as('count'),
      bytes: sql<number>`coalesce(sum(${size}), 0)`.as('bytes'),
    }).from(webPictures),
  )

  return {
    find: rowBy(webPictures, digest),
    has: exists([digest], ([of], { select }) => select({ digest }).from(webPictures).where(eq(digest, of))),
    sums: () => sums().as((row) => row ?? { count: 0, bytes: 0 }),
    set: upsert(webPictures, [digest], 'size', 'facts', 'jpeg'),
  }
}
