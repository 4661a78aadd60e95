import { and, desc, eq, getTableColumns, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Operation } from './database.ts'
import { anyNumber, matches, queriesOf } from './query.ts'
import { webPictures, webSources } from './schema.ts'

export type WebSource = Readonly<typeof webSources.$inferSelect>

export type WebSourceName = Pick<WebSource, 'digest' | 'kind' | 'url'>

export type WebSourceList = 'all' | 'failing' | 'blocked'

export function createWebSourceTable(database: Database) {
  const { all, change, number, rowBy, run, write } = queriesOf(database)
  const columns = getTableColumns(webSources)
  const { digest, kind, url, facts, etag, lastModified, readAtMs, usedAtMs, claimedUntilMs } = columns
  const { reason, failedAtMs, goneAtMs, failures, requests, isBlocked, renewals } = columns
  function listing(condition: SQL | undefined) {
    return all({ limit: anyNumber }, (of, { select }) =>
      select(columns).from(webSources).where(condition).orderBy(desc(requests), digest).limit(of.limit),
    )
  }
  const lists = {
    all: listing(undefined),
    failing: listing(isNotNull(failedAtMs)),
    blocked: listing(ne(isBlocked, 0)),
  }
  const atMs = anyNumber
  const setRead = write(
    { digest, kind, url, facts, etag, lastModified, atMs },
    ({ atMs, ...of }, { insert }) =>
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
  )
  const setFailed = write({ digest, kind, url, reason, atMs }, ({ atMs, ...of }, { insert }) =>
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
  )
  const claim = change(
    { digest, readAtMs: anyNumber, nowMs: anyNumber, untilMs: anyNumber },
    (of, { update }) =>
      update(webSources)
        .set({ claimedUntilMs: sql`${of.untilMs}` })
        .where(
          and(
            eq(digest, of.digest),
            sql`coalesce(${readAtMs}, 0) = ${of.readAtMs}`,
            // The clock may have been set back since the claim.
            or(lt(claimedUntilMs, of.nowMs), sql`${claimedUntilMs} > ${of.untilMs}`),
          ),
        ),
  )
  const addUse = write({ digest, usedAtMs, added: anyNumber }, (of, { update }) =>
    update(webSources)
      .set({ requests: sql`${requests} + ${of.added}`, usedAtMs: sql`${of.usedAtMs}` })
      .where(matches({ digest }, of)),
  )
  const count = number({ kind }, (of, { select }) =>
    select({ number: sql<number>`count(*)`.as('number') })
      .from(webSources)
      .where(matches({ kind }, of)),
  )
  const renew = change({ digest }, (of, { update }) =>
    update(webSources)
      .set({ renewals: sql`${renewals} + 1` })
      .where(matches({ digest }, of)),
  )
  const setBlocked = change({ digest, isBlocked }, (of, { update }) =>
    update(webSources)
      .set({ isBlocked: sql`${of.isBlocked}` })
      .where(matches({ digest }, of)),
  )
  const prune = run({ kind, limit: anyNumber }, (of, { select, remove }) => {
    const unused = select({ digest })
      .from(webSources)
      .where(and(matches({ kind }, of), eq(isBlocked, 0)))
      // Anybody can name pages that do not exist.
      .orderBy(desc(sql`${facts} is null`), usedAtMs)
      .limit(of.limit)
    return remove(webSources).where(sql`${digest} in ${unused}`)
  })

  const pruneGone = run({ kind, beforeMs: anyNumber, limit: anyNumber }, (of, { select, remove }) => {
    const gone = select({ digest })
      .from(webSources)
      .where(and(matches({ kind }, of), lt(goneAtMs, of.beforeMs), eq(isBlocked, 0)))
      .limit(of.limit)
    return remove(webSources).where(sql`${digest} in ${gone}`)
  })

  return {
    find: rowBy(webSources, digest),
    list: (which: WebSourceList, limit: number): Operation<readonly WebSource[]> => lists[which]({ limit }),
    setRead: (
      read: WebSourceName & Pick<WebSource, 'facts' | 'etag' | 'lastModified'> & { readonly atMs: number },
    ) => setRead(read),
    /** It could not be read. The facts stay. */
    setFailed: (failed: WebSourceName & { readonly reason: string; readonly atMs: number }) =>
      setFailed(failed),
    /**
     * Claims the reading of a source for one server. Returns whether it was free and is as old as is known here:
     * `readAtMs` is 0 for one that was never read.
     */
    claim: (digest: string, readAtMs: number, nowMs: number, untilMs: number) =>
      claim({ digest, readAtMs, nowMs, untilMs }),
    addUse: (digest: string, requests: number, usedAtMs: number) =>
      addUse({ digest, added: requests, usedAtMs }),
    count: (kind: WebSource['kind']) => count({ kind }),
    /** Blocks a source, which nobody may read or use then, or allows it again. Returns whether there is one. */
    setBlocked: (digest: string, isBlocked: boolean) => setBlocked({ digest, isBlocked: isBlocked ? 1 : 0 }),
    renew: (digest: string) => renew({ digest }),
    /** Removes `limit` sources, those without facts first, then those that were not used for longest; returns how many. */
    prune: (kind: WebSource['kind'], limit: number) => prune({ kind, limit }),
    /** Removes at most `limit` sources of this kind that cannot be read since then, and returns how many. */
    pruneGone: (kind: WebSource['kind'], beforeMs: number, limit: number) =>
      pruneGone({ kind, beforeMs, limit }),
  }
}

/** Pictures by the digests of their sources, which take them along when they are removed. */
export function createWebPictureTable(database: Database) {
  const { exists, one, rowBy, write } = queriesOf(database)
  const { digest, size, facts, jpeg } = webPictures
  const has = exists({ digest }, (of, { select }) =>
    select({ digest }).from(webPictures).where(matches({ digest }, of)),
  )
  const sums = one({}, (_, { select }) =>
    select({
      count: sql<number>`count(*)`.as('count'),
      bytes: sql<number>`coalesce(sum(${size}), 0)`.as('bytes'),
    }).from(webPictures),
  )
  return {
    find: rowBy(webPictures, digest),
    has: (digest: string) => has({ digest }),
    sums: () => sums({}).as((row) => row ?? { count: 0, bytes: 0 }),
    set: write({ digest, size, facts, jpeg }, (of, { insert }) =>
      insert(webPictures)
        .values(of)
        .onConflictDoUpdate({
          target: digest,
          set: { size: sql`excluded.size`, facts: sql`excluded.facts`, jpeg: sql`excluded.jpeg` },
        }),
    ),
  }
}
