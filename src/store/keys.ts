import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Database, lastMs, type Operation } from './database.ts'
import { anyNumber, anyText, queriesOf, row, type Values } from './query.ts'
import { generations, keys, usageDays } from './schema.ts'

/** A key pair without its secret, which follows from the master key, the id and the version. */
export type KeyRow = Readonly<typeof keys.$inferSelect>

/** A key, with the generation of all keys at that moment: while it is the same, none of them has changed. */
export interface KeyReading extends KeyRow {
  readonly generation: number
}

export type KeyColumns = Partial<
  Omit<KeyRow, 'id' | 'createdAtMs' | 'revision' | 'version' | 'previousUntilMs'>
>
type NewKey = Pick<KeyRow, 'id' | 'createdAtMs'> & Partial<KeyRow>

const columns = getTableColumns(keys)
const { id, createdAtMs, version, previousUntilMs, revokedAtMs, dailyQuota, expiresAtMs } = columns
const { unlimitedUntilMs, siteId } = columns
const { day, bucket, used } = usageDays

/** Key pairs. Writes survive a power cut: nobody can ask for a lost key again. @param onChange may be within a transaction */
export function createKeyTable(database: Database, onChange: () => void) {
  const durable = queriesOf(database, true)
  const nextRevision = sql`${keys.revision} + 1`
  const insert = durable.insertReturning(keys)
  const rotate = durable.one([previousUntilMs, id], ([untilMs, of], { update }) =>
    update(keys)
      .set({ version: sql`${version} + 1`, previousUntilMs: untilMs, revision: nextRevision })
      .where(eq(id, of))
      .returning(row(keys)),
  )
  function updating(changed: readonly (keyof KeyColumns)[]) {
    const kinds = Object.fromEntries(changed.map((column) => [column, columns[column]]))
    return durable.one({ ...kinds, id }, ({ id: place, ...values }, { update }) =>
      update(keys)
        .set({
          ...values,
          ...('siteId' in values && { siteId: sql`coalesce(${siteId}, ${values['siteId']})` }),
          revision: nextRevision,
        })
        .where(eq(id, place))
        .returning(row(keys)),
    )
  }
  const updates = new Map<string, ReturnType<typeof updating>>()
  function noted(change: Operation<KeyRow | undefined>): Operation<KeyRow | undefined> {
    return change.as((key) => {
      onChange()
      return key
    })
  }

  const { one, number, rowBy } = queriesOf(database)

  return {
    find: rowBy(keys, id),
    findBySite: rowBy(keys, siteId),
    read: one([id], ([of], { select }) => {
      const { generation } = generations
      const current = select({ generation }).from(generations).where(sql`${generations.name} = 'keys'`)
      return select({ ...columns, generation: sql<number>`${current}` })
        .from(keys)
        .where(eq(id, of))
    }),
    /** Rows are never deleted, so the last row number says it without counting. */
    issued: number([], (_, { select, rowNumber }) => select({ number: sql`max(${rowNumber})` }).from(keys)),
    insert: (key: NewKey): Operation<KeyRow> =>
      insert(key).as((stored) => {
        if (stored === undefined) throw new Error('The key was not stored.')
        return stored
      }),
    /** Returns the changed row; undefined if there is no such key. A key keeps the site id that it has. */
    update(id: string, change: KeyColumns) {
      const names = Object.keys(columns) as (keyof KeyColumns)[]
      const changed = names.filter((column) => change[column] !== undefined)
      const update = updates.get(changed.join()) ?? updating(changed)
      updates.set(changed.join(), update)
      return noted(update({ ...change, id }))
    },
    /** The next version signs from now on; the present one is accepted until then. */
    rotate: (id: string, untilMs: number) => noted(rotate(untilMs, id)),
  }
}

type KeyStatus = 'any' | 'active' | 'revoked'

export interface TimeSpan {
  readonly afterMs: number
  readonly upToMs: number
}

const last = sql.raw(String(lastMs))

/** Somebody named the key, gave it a quota or paid for it. All others were issued to strangers. */
const isKnownKey = sql`(${keys.name} <> '' or ${keys.dailyQuota} is not null or ${keys.unlimitedUntilMs} is not null)`

/** Lists of keys, page by page. A page reads the rows that it shows and a constant more, however many keys there are. */
export function createKeyList(database: Database) {
  const { texts } = database
  const { all, countUpTo } = queriesOf(database)
  function newest(condition: SQL | undefined) {
    return all([id, anyNumber], ([afterId, limit], { select }) => {
      const cursor = select({ createdAtMs }).from(keys).where(eq(id, afterId))
      return select(columns)
        .from(keys)
        .where(and(condition, sql`(${createdAtMs}, ${id}) < (coalesce(${cursor}, ${last}), ${afterId})`))
        .orderBy(desc(createdAtMs), desc(id))
        .limit(limit)
    })
  }
  const isRevoked = isNotNull(revokedAtMs)
  const byStatus = { any: newest(undefined), active: newest(isNull(revokedAtMs)), revoked: newest(isRevoked) }
  const search = all({ text: anyText, limit: anyNumber }, texts.searchKeys)
  const mostUsed = all([day, used, bucket, anyNumber], ([of, usedBefore, bucketBefore, limit], builders) =>
    builders
      .select({ ...columns, used })
      .from(builders.indexed(usageDays, 'usage_days_by_use'))
      .innerJoin(keys, eq(id, sql`substr(${bucket}, 5)`))
      .where(
        and(
          eq(day, of),
          sql`${bucket} between 'key:' and 'key:~'`,
          sql`(${used}, ${bucket}) < (${usedBefore}, ${bucketBefore})`,
        ),
      )
      .orderBy(desc(used), desc(bucket))
      .limit(limit),
  )
  const span = { afterMs: expiresAtMs, upToMs: expiresAtMs }
  function ending(comparison: SQL, start: SQL, direction: SQL, condition?: SQL) {
    return all({ ...span, afterId: id, limit: anyNumber }, (of, { select }) => {
      const cursor = select({ expiresAtMs }).from(keys).where(eq(id, of.afterId))
      const isAfter = sql`(${expiresAtMs}, ${id}) ${comparison} (coalesce(${cursor}, ${start}), ${of.afterId})`
      return select(columns)
        .from(keys)
        .where(and(endsWithin(of), isAfter, condition))
        .orderBy(sql`${expiresAtMs} ${direction}, ${id} ${direction}`)
        .limit(of.limit)
    })
  }
  const byEnd = {
    first: ending(sql`>`, sql`0`, sql`asc`),
    firstKnown: ending(sql`>`, sql`0`, sql`asc`, isKnownKey),
    last: ending(sql`<`, last, sql`desc`),
  }
  const endingCount = countUpTo([expiresAtMs, expiresAtMs], ([afterMs, upToMs], { select }) =>
    select({ id }).from(keys).where(endsWithin({ afterMs, upToMs })),
  )

  return {
    newest: (status: KeyStatus, limit: number, afterId = '') => byStatus[status](afterId, limit),
    search: (text: string, limit: number): Operation<readonly KeyRow[]> =>
      search({ text: texts.searchTerm(text), limit }),
    mostUsed: (day: number, limit: number, after?: { readonly used: number; readonly id: string }) =>
      mostUsed(day, after?.used ?? Number.MAX_SAFE_INTEGER, `key:${after?.id ?? ''}`, limit),
    revokedCount: countUpTo([], (_, { select }) => select({ id }).from(keys).where(isRevoked)),
    /** Keys whose end lies after one moment and not after the other, revoked ones left out; the cursor is an id. */
    ending: (order: keyof typeof byEnd, span: TimeSpan, limit: number, afterId = '') =>
      byEnd[order]({ ...span, afterId, limit }),
    endingCount: ({ afterMs, upToMs }: TimeSpan, max: number) => endingCount(afterMs, upToMs, max),
  }
}

function endsWithin(of: { readonly afterMs: SQL; readonly upToMs: SQL }) {
  return and(gt(expiresAtMs, of.afterMs), sql`${expiresAtMs} <= ${of.upToMs}`, isNull(revokedAtMs))
}

export interface BusyKey extends KeyRow {
  readonly used: number
}

/** Known keys that used so many percent of their quota: the most used of the day, and those with a quota below the general one. */
export function createBusyKeys(database: Database) {
  const { all, countUpTo } = queriesOf(database)
  const kinds = { day, nowMs: anyNumber, generalQuota: anyNumber, percent: anyNumber, limit: anyNumber }
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
          sql`${used} * 100 >= ${dailyQuota} * cast(${of.percent} as bigint)`,
          isLimited(of.nowMs),
        ),
      )
      .orderBy(id)
      .limit(of.limit),
  )

  return {
    unknownUsedUp: countUpTo([day, anyNumber, anyNumber], ([of, nowMs, generalQuota], { select, indexed }) =>
      select({ id })
        .from(indexed(usageDays, 'usage_days_by_use'))
        .innerJoin(keys, eq(id, sql`substr(${bucket}, 5)`))
        .where(
          and(
            isUseOfKey({ day: of, nowMs }),
            sql`${used} >= cast(${generalQuota} as bigint)`,
            sql`cast(${generalQuota} as bigint) > 0`,
            sql`not ${isKnownKey}`,
          ),
        ),
    ),
    /** @param filter its `generalQuota` is the calls a day of keys without a quota of their own */
    async nearQuota(filter: Values<typeof kinds>): Promise<readonly BusyKey[]> {
      const found = [...(await byUse(filter)), ...(await ownQuota(filter))]
      return [...new Map(found.map((key) => [key.id, key])).values()].toSorted((a, b) => b.used - a.used)
    },
  }
}

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
