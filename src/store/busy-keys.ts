import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isKnownKey } from './key-list.ts'
import type { KeyRow } from './keys.ts'
import { anyNumber, queriesOf } from './query.ts'
import { keys, usageDays } from './schema.ts'

interface BusyKeyFilter {
  readonly day: number
  readonly nowMs: number
  /** Calls a day of keys without a quota of their own. */
  readonly generalQuota: number
  readonly percent: number
  readonly limit: number
}

export interface BusyKey extends KeyRow {
  readonly used: number
}

const columns = getTableColumns(keys)
const { id, dailyQuota, revokedAtMs, expiresAtMs, unlimitedUntilMs } = columns
const { day, bucket, used } = usageDays

/**
 * Finds the known keys that have used so many percent of their quota. One query reads the most used keys of the day,
 * another the keys whose own quota is below the general one. The keys that nobody named or paid for are only counted,
 * because strangers can have any number of them.
 */
export function createBusyKeys(database: Database) {
  const { all, countUpTo } = queriesOf(database)
  const kinds = {
    day,
    nowMs: anyNumber,
    generalQuota: anyNumber,
    percent: anyNumber,
    limit: anyNumber,
  }
  const byUse = all(kinds, (of, { select, indexed }) =>
    select({ ...columns, used })
      .from(indexed(usageDays, 'usage_days_by_use'))
      .innerJoin(keys, eq(id, sql`substr(${bucket}, 5)`))
      .where(
        and(
          isUseOfKey(of),
          sql`${used} >= cast(${of.generalQuota} as bigint) * cast(${of.percent} as bigint) / 100`,
          sql`coalesce(${dailyQuota}, cast(${of.generalQuota} as bigint)) > 0`,
          sql`${used} * 100 >= coalesce(${dailyQuota}, cast(${of.generalQuota} as bigint)) * cast(${of.percent} as bigint)`,
          isKnownKey,
        ),
      )
      .orderBy(desc(used), desc(bucket))
      .limit(of.limit),
  )
  const ownQuota = all(kinds, (of, { select, indexed }) =>
    select({ ...columns, used })
      .from(indexed(keys, 'keys_by_quota'))
      .innerJoin(usageDays, and(eq(day, of.day), eq(bucket, sql`'key:' || ${id}`)))
      .where(
        and(
          sql`daily_quota is not null`,
          gt(dailyQuota, sql`0`),
          lt(dailyQuota, of.generalQuota),
          gte(sql`${used} * 100`, sql`${dailyQuota} * cast(${of.percent} as bigint)`),
          isLimited(of.nowMs),
        ),
      )
      .orderBy(id)
      .limit(of.limit),
  )
  const usedUp = countUpTo({ day, nowMs: anyNumber, generalQuota: anyNumber }, (of, { select, indexed }) =>
    select({ id })
      .from(indexed(usageDays, 'usage_days_by_use'))
      .innerJoin(keys, eq(id, sql`substr(${bucket}, 5)`))
      .where(
        and(
          isUseOfKey(of),
          sql`${used} >= cast(${of.generalQuota} as bigint)`,
          sql`cast(${of.generalQuota} as bigint) > 0`,
          not(isKnownKey),
        ),
      ),
  )
  return {
    /** How many keys that nobody named or paid for have used all of their quota on a day, counted up to `max`. */
    unknownUsedUp: (filter: Pick<BusyKeyFilter, 'day' | 'nowMs' | 'generalQuota'>, max: number) =>
      usedUp({ ...filter, max }),
    /** Known keys that work and have a limit, the most used first; at most `limit` by each of the two queries. */
    async nearQuota(filter: BusyKeyFilter): Promise<readonly BusyKey[]> {
      const found = [...(await byUse(filter)), ...(await ownQuota(filter))]
      return [...new Map(found.map((key) => [key.id, key])).values()].toSorted((a, b) => b.used - a.used)
    },
  }
}

/** A row about a limited key on the day. */
function isUseOfKey(of: { readonly day: SQL; readonly nowMs: SQL }): SQL | undefined {
  return and(eq(day, of.day), sql`${bucket} between 'key:' and 'key:~'`, isLimited(of.nowMs))
}

/** Not revoked, not ended, and not without limit. */
function isLimited(nowMs: SQL): SQL | undefined {
  return and(
    isNull(revokedAtMs),
    or(isNull(expiresAtMs), gt(expiresAtMs, nowMs)),
    or(isNull(unlimitedUntilMs), sql`${unlimitedUntilMs} <= ${nowMs}`),
  )
}
