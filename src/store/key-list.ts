import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { type Database, lastMs } from './database.ts'
import type { KeyRow } from './keys.ts'
import type { Operation } from './operation.ts'
import { anyNumber, anyText, queriesOf } from './query.ts'
import { keys, usageDays } from './schema.ts'

export type KeyStatus = 'any' | 'active' | 'revoked'

/** After one moment, up to another one. */
export interface TimeSpan {
  readonly afterMs: number
  readonly upToMs: number
}

export interface UseCursor {
  readonly used: number
  readonly id: string
}

const last = sql.raw(String(lastMs))
const columns = getTableColumns(keys)
const { id, createdAtMs, revokedAtMs, expiresAtMs } = columns

/** Somebody named the key, gave it a quota or paid for it. All others were issued to strangers. */
export const isKnownKey = sql`(${keys.name} <> '' or ${keys.dailyQuota} is not null or ${keys.unlimitedUntilMs} is not null)`

export type KeyList = ReturnType<typeof createKeyList>

/** Lists of keys, page by page. A page reads the rows that it shows and a constant more, however many keys there are. */
export function createKeyList(database: Database) {
  const { texts } = database
  const { all, countUpTo } = queriesOf(database)
  function newest(condition: SQL | undefined) {
    return all({ afterId: id, limit: anyNumber }, (of, { select }) => {
      const cursor = select({ createdAtMs }).from(keys).where(eq(id, of.afterId))
      return select(columns)
        .from(keys)
        .where(and(condition, sql`(${createdAtMs}, ${id}) < (coalesce(${cursor}, ${last}), ${of.afterId})`))
        .orderBy(desc(createdAtMs), desc(id))
        .limit(of.limit)
    })
  }
  const isRevoked = isNotNull(revokedAtMs)
  const byStatus = { any: newest(undefined), active: newest(isNull(revokedAtMs)), revoked: newest(isRevoked) }
  const search = all({ text: anyText, limit: anyNumber }, texts.searchKeys)
  const { day, bucket, used } = usageDays
  const mostUsed = all({ day, used, bucket, limit: anyNumber }, (of, { select, indexed }) =>
    select({ ...columns, used })
      .from(indexed(usageDays, 'usage_days_by_use'))
      .innerJoin(keys, eq(id, sql`substr(${bucket}, 5)`))
      .where(
        and(
          eq(day, of.day),
          sql`${bucket} between 'key:' and 'key:~'`,
          sql`(${used}, ${bucket}) < (${of.used}, ${of.bucket})`,
        ),
      )
      .orderBy(desc(used), desc(bucket))
      .limit(of.limit),
  )
  const span = { afterMs: expiresAtMs, upToMs: expiresAtMs }
  function ending(comparison: SQL, start: SQL, direction: typeof asc, condition?: SQL) {
    return all({ ...span, afterId: id, limit: anyNumber }, (of, { select }) => {
      const cursor = select({ expiresAtMs }).from(keys).where(eq(id, of.afterId))
      const isAfter = sql`(${expiresAtMs}, ${id}) ${comparison} (coalesce(${cursor}, ${start}), ${of.afterId})`
      return select(columns)
        .from(keys)
        .where(and(endsWithin(of), isAfter, condition))
        .orderBy(direction(expiresAtMs), direction(id))
        .limit(of.limit)
    })
  }
  const byEnd = {
    first: ending(sql`>`, sql`0`, asc),
    firstKnown: ending(sql`>`, sql`0`, asc, isKnownKey),
    last: ending(sql`<`, last, desc),
  }
  const endingCount = countUpTo(span, (of, { select }) => select({ id }).from(keys).where(endsWithin(of)))
  const revokedCount = countUpTo({}, (_, { select }) => select({ id }).from(keys).where(isRevoked))
  return {
    /** Newest first; the cursor is the last id of the page before. */
    newest: (status: KeyStatus, limit: number, afterId = '') => byStatus[status]({ afterId, limit }),
    /** Keys whose id or name contains the text (three characters at least), newest first. */
    search: (text: string, limit: number): Operation<readonly KeyRow[]> =>
      search({ text: texts.searchTerm(text), limit }),
    /** The keys that are used most on a day. */
    mostUsed: (day: number, limit: number, after?: UseCursor) =>
      mostUsed({
        day,
        used: after?.used ?? Number.MAX_SAFE_INTEGER,
        bucket: `key:${after?.id ?? ''}`,
        limit,
      }),
    /** How many keys are revoked, counted up to `max`. */
    revokedCount: (max: number) => revokedCount({ max }),
    /** Keys whose end lies after one moment and not after the other, revoked ones left out; the cursor is an id. */
    ending: (order: keyof typeof byEnd, span: TimeSpan, limit: number, afterId = '') =>
      byEnd[order]({ ...span, afterId, limit }),
    /** How many keys that is, counted up to `max`. */
    endingCount: (span: TimeSpan, max: number) => endingCount({ ...span, max }),
  }
}

function endsWithin(of: { readonly afterMs: SQL; readonly upToMs: SQL }) {
  return and(gt(expiresAtMs, of.afterMs), lte(expiresAtMs, of.upToMs), isNull(revokedAtMs))
}
