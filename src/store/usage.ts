import { and, asc, between, eq, gt, inArray, lt, lte, notExists, sql } from 'drizzle-orm'
import type { Database, Operation, Steps } from './database.ts'
import { anyNumber, anyText, matches, queriesOf } from './query.ts'
import {
  deduplicationDays,
  keys,
  leakedSecrets,
  signedAddresses,
  trafficDays,
  trafficHours,
  usageDays,
} from './schema.ts'

/** Calls of each bucket on each UTC day, in days since 1970-01-01. The meter counts them. */
export function createUsageTable(database: Database) {
  const { all, number, prune, run, write } = queriesOf(database)
  const { day, bucket, used } = usageDays
  const findUsed = number({ day, bucket }, (of, { select }) =>
    select({ number: used }).from(usageDays).where(matches({ day, bucket }, of)),
  )
  const set = write({ day, bucket, used }, (values, { insert }) =>
    insert(usageDays)
      .values(values)
      .onConflictDoUpdate({ target: [day, bucket], set: { used: sql`excluded.used` } }),
  )
  // Day by day, because the table is ordered by day: one look-up each, however many buckets there are.
  const history = all({ bucket, firstDay: day, lastDay: day }, (of, { raw }) =>
    raw(sql<{ day: number; used: number }>`with recursive days(day) as
      (select cast(${of.firstDay} as integer)
       union all select day + 1 from days where day < cast(${of.lastDay} as integer))
      select days.day, ${used} from days join ${usageDays} on ${day} = days.day and ${bucket} = ${of.bucket}
      order by days.day`),
  )
  const removeBetween = run(
    { day, first: anyText, last: anyText, limit: anyNumber },
    (of, { select, remove }) => {
      const found = select({ day, bucket })
        .from(usageDays)
        .where(and(eq(day, of.day), between(bucket, of.first, of.last)))
        .limit(of.limit)
      return remove(usageDays).where(sql`(${day}, ${bucket}) in ${found}`)
    },
  )
  return {
    used: (day: number, bucket: string) => findUsed({ day, bucket }),
    set: (day: number, bucket: string, used: number) => set({ day, bucket, used }),
    history: (bucket: string, firstDay: number, lastDay: number) => history({ bucket, firstDay, lastDay }),
    prune: prune(usageDays, day, [day, bucket]),
    /** Removes at most `limit` rows of one day whose bucket starts with `prefix`, and returns how many. */
    removeByPrefix: (day: number, prefix: string, limit: number) =>
      removeBetween({ day, first: prefix, last: `${prefix}\u{10ffff}`, limit }),
  }
}

export type UsageTable = ReturnType<typeof createUsageTable>

/** The deduplication keys that were counted: each counts once a day in its bucket. The meter adds them. */
export function createDeduplicationTable(database: Database) {
  const { exists, countUpTo, prune, write } = queriesOf(database)
  const { day, bucket, dedupKey } = deduplicationDays
  const one = sql`1`
  const has = exists({ day, bucket, dedupKey }, (of, { select }) =>
    select({ one }).from(deduplicationDays).where(matches({ day, bucket, dedupKey }, of)),
  )
  const add = write({ day, bucket, dedupKey }, (values, { insert }) =>
    insert(deduplicationDays).values(values).onConflictDoNothing(),
  )
  const count = countUpTo({ day, bucket }, (of, { select }) =>
    select({ one }).from(deduplicationDays).where(matches({ day, bucket }, of)),
  )
  return {
    has: (day: number, bucket: string, dedupKey: string) => has({ day, bucket, dedupKey }),
    add: (day: number, bucket: string, dedupKey: string) => add({ day, bucket, dedupKey }),
    count: (day: number, bucket: string, max = 10_000) => count({ day, bucket, max }),
    prune: prune(deduplicationDays, day, [day, bucket, dedupKey]),
  }
}

export type TrafficRow = Readonly<typeof trafficDays.$inferSelect>

/** The status is `2xx`, `3xx`, `402`, `4xx` (without 402) or `5xx`. */
export type TrafficKind = Omit<TrafficRow, 'day' | 'count'>

/** The highest number that every database has in a column of days. */
const dayMax = 2 ** 31 - 1

export function createTrafficTable(database: Database) {
  const { texts } = database
  const { all, write } = queriesOf(database)
  const { day, endpoint, auth, status, count } = trafficDays
  const sum = sql<number>`sum(${count})`
  const add = write({ day, endpoint, auth, status, count }, (of, { raw }) => raw(texts.addTraffic(of)))
  const within = all({ firstDay: day, lastDay: day }, (of, { select }) =>
    select({ day, endpoint, auth, status, count: sum })
      .from(trafficDays)
      .where(between(day, of.firstDay, of.lastDay))
      .groupBy(day, endpoint, auth, status),
  )
  const totals = all({ beforeDay: day }, (of, { select }) =>
    select({ endpoint, count: sum }).from(trafficDays).where(lt(day, of.beforeDay)).groupBy(endpoint),
  )
  const copy = write({ upToDay: day }, (of, { raw }) => raw(texts.foldTraffic(of)))
  const drop = write({ upToDay: day }, (of, { remove }) =>
    remove(trafficDays).where(between(day, sql`1`, of.upToDay)),
  )
  return {
    /** Adds `count`, which may be negative; the sum never goes below zero. */
    add: (day: number, kind: TrafficKind, count: number) => add({ day, ...kind, count }),
    between: (firstDay: number, lastDay: number): Operation<readonly TrafficRow[]> =>
      within({ firstDay, lastDay }),
    /** Requests by endpoint over all time, or before a day. */
    totals: (beforeDay = dayMax) => totals({ beforeDay }),
    /** Folds the days before `day` into day 0, which keeps the totals and bounds the table. Belongs into a transaction. */
    *fold(beforeDay: number): Steps<void> {
      yield* copy({ upToDay: beforeDay - 1 })
      yield* drop({ upToDay: beforeDay - 1 })
    },
  }
}

/** Requests in each hour (UTC, since 1970), by endpoint, authentication strategy and status class. */
export function createTrafficHourTable(database: Database) {
  const { all, addCount, run } = queriesOf(database)
  const { hour, endpoint, auth, status, count } = trafficHours
  const add = addCount(trafficHours, [hour, endpoint, auth, status], count)
  const within = all({ firstHour: hour, lastHour: hour }, (of, { select }) =>
    select({ hour, endpoint, auth, status, count })
      .from(trafficHours)
      .where(between(hour, of.firstHour, of.lastHour)),
  )
  const prune = run({ beforeHour: hour }, (of, { remove }) =>
    remove(trafficHours).where(lt(hour, of.beforeHour)),
  )
  return {
    add: (hour: number, endpoint: string, auth: string, status: string, count: number) =>
      add({ hour, endpoint, auth, status, count }),
    between: (firstHour: number, lastHour: number) => within({ firstHour, lastHour }),
    prune: (beforeHour: number) => prune({ beforeHour }),
  }
}

/** A later view of an address is written after so many days. */
export const viewDays = 30

export type SignedAddressTable = ReturnType<typeof createSignedAddressTable>

export function createSignedAddressTable(database: Database) {
  const { all, countUpTo, one, run, write } = queriesOf(database)
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const find = one({ keyId, digest, formerName: anyText }, (of, { select }) => {
    const leak = select({ one: sql`1` })
      .from(leakedSecrets)
      .where(
        and(
          eq(leakedSecrets.keyId, keyId),
          eq(leakedSecrets.version, version),
          sql`${leakedSecrets.sinceDay} <= ${firstDay}`,
        ),
      )
    return select({ version })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), inArray(digest, [of.digest, of.formerName]), notExists(leak)))
  })
  const setView = write({ keyId, digest, lastViewDay, dueDay: lastViewDay }, (of, { update }) =>
    update(signedAddresses)
      .set({ lastViewDay: of.lastViewDay })
      .where(and(matches({ keyId, digest }, of), lte(lastViewDay, of.dueDay))),
  )
  const count = countUpTo({ keyId }, (of, { select }) =>
    select({ one: sql`1` }).from(signedAddresses).where(eq(keyId, of.keyId)),
  )
  const leak = write(
    { keyId: leakedSecrets.keyId, version: leakedSecrets.version, sinceDay: leakedSecrets.sinceDay },
    (values, { insert }) => insert(leakedSecrets).values(values).onConflictDoNothing(),
  )
  const nextKeys = all({ afterId: keys.id, limit: anyNumber }, (of, { select }) =>
    select({ id: keys.id }).from(keys).where(gt(keys.id, of.afterId)).orderBy(asc(keys.id)).limit(of.limit),
  )
  const pageEnd = one({ keyId, after: digest, skipped: anyNumber }, (of, { select }) =>
    select({ digest })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), gt(digest, of.after)))
      .orderBy(asc(digest))
      .limit(1)
      .offset(of.skipped),
  )
  const removeUnseen = run({ keyId, beforeDay: lastViewDay, limit: anyNumber }, (of, { select, remove }) => {
    const unseen = select({ keyId, digest })
      .from(signedAddresses)
      .where(and(eq(keyId, of.keyId), lt(lastViewDay, of.beforeDay)))
      .orderBy(asc(lastViewDay))
      .limit(of.limit)
    return remove(signedAddresses).where(sql`(${keyId}, ${digest}) in ${unseen}`)
  })

  return {
    /** The version of the secret under which an address was counted; undefined if it was not, or that secret leaked. */
    findVersion: (keyId: string, digest: string, formerName = digest) =>
      find({ keyId, digest, formerName }).as((row) => row?.version),
    setView: (keyId: string, digest: string, lastViewDay: number) =>
      setView({ keyId, digest, lastViewDay, dueDay: lastViewDay - viewDays }),
    count: (keyId: string, max = 10_000) => count({ keyId, max }),
    /** Refuses every address that was first counted under this version of the secret since that day. */
    leak: (keyId: string, version: number, sinceDay: number) => leak({ keyId, version, sinceDay }),
    nextKeys: (afterId: string, limit: number) => nextKeys({ afterId, limit }),
    /** The last digest of a page of `size` addresses; undefined if there are not as many. */
    pageEnd: (keyId: string, after: string, size: number) =>
      pageEnd({ keyId, after, skipped: size - 1 }).as((row) => row?.digest),
    /** Removes at most `limit` addresses whose last view was before that day, the longest unseen first. Returns how many. */
    removeUnseen: (keyId: string, beforeDay: number, limit: number) =>
      removeUnseen({ keyId, beforeDay, limit }),
  }
}
