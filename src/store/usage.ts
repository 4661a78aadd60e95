import { and, between, eq, gt, inArray, lt, lte, notExists, sql } from 'drizzle-orm'
import type { Database, Steps } from './database.ts'
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
  const { all, number, prune, run, upsert } = queriesOf(database)
  const { day, bucket, used } = usageDays
  const dedup = deduplicationDays
  const removeBetween = run(
    [day, anyText, anyText, anyNumber],
    ([of, first, last, limit], { select, remove }) => {
      const found = select({ day, bucket })
        .from(usageDays)
        .where(and(eq(day, of), between(bucket, first, last)))
        .limit(limit)
      return remove(usageDays).where(sql`(${day}, ${bucket}) in ${found}`)
    },
  )
  const set = upsert(usageDays, [day, bucket], 'used')

  return {
    used: number([day, bucket], (of, { select }) =>
      select({ number: used })
        .from(usageDays)
        .where(matches([day, bucket], of)),
    ),
    set: (day: number, bucket: string, used: number) => set({ day, bucket, used }),
    /** Day by day, because the table is ordered by day: one look-up each, however many buckets there are. */
    history: all([bucket, day, day], ([of, firstDay, lastDay], { raw }) =>
      raw(sql<{ day: number; used: number }>`with recursive days(day) as
      (select cast(${firstDay} as integer)
      union all select day + 1 from days where day < cast(${lastDay} as integer))
      select days.day, ${used} from days join ${usageDays} on ${day} = days.day and ${bucket} = ${of}
      order by days.day`),
    ),
    prune: prune(usageDays, day, [day, bucket]),
    pruneDedupKeys: prune(deduplicationDays, dedup.day, [dedup.day, dedup.bucket, dedup.dedupKey]),
    /** Removes at most `limit` rows of one day whose bucket starts with `prefix`, and returns how many. */
    removeByPrefix: (day: number, prefix: string, limit: number) =>
      removeBetween(day, prefix, `${prefix}\u{10ffff}`, limit),
  }
}

export type UsageTable = ReturnType<typeof createUsageTable>

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
  const totals = all([day], ([beforeDay], { select }) =>
    select({ endpoint, count: sum }).from(trafficDays).where(lt(day, beforeDay)).groupBy(endpoint),
  )
  const copy = write({ upToDay: day }, (of, { raw }) => raw(texts.foldTraffic(of)))
  const drop = write([day], ([upToDay], { remove }) =>
    remove(trafficDays).where(between(day, sql`1`, upToDay)),
  )

  return {
    /** Adds `count`, which may be negative; the sum never goes below zero. */
    add: (day: number, kind: TrafficKind, count: number) => add({ day, ...kind, count }),
    between: all([day, day], ([firstDay, lastDay], { select }) =>
      select({ day, endpoint, auth, status, count: sum })
        .from(trafficDays)
        .where(between(day, firstDay, lastDay))
        .groupBy(day, endpoint, auth, status),
    ),
    /** Requests by endpoint over all time, or before a day. */
    totals: (beforeDay = dayMax) => totals(beforeDay),
    /** Folds the days before `day` into day 0, which keeps the totals and bounds the table. Belongs into a transaction. */
    *fold(beforeDay: number): Steps<void> {
      yield* copy({ upToDay: beforeDay - 1 })
      yield* drop(beforeDay - 1)
    },
  }
}

/** Requests in each hour (UTC, since 1970), by endpoint, authentication strategy and status class. */
export function createTrafficHourTable(database: Database) {
  const { all, addCounts, run } = queriesOf(database)
  const { hour, endpoint, auth, status, count } = trafficHours
  const add = addCounts(trafficHours, [hour, endpoint, auth, status], 'count')

  return {
    add: (hour: number, endpoint: string, auth: string, status: string, count: number) =>
      add({ hour, endpoint, auth, status, count }),
    between: all([hour, hour], ([firstHour, lastHour], { select }) =>
      select({ hour, endpoint, auth, status, count })
        .from(trafficHours)
        .where(between(hour, firstHour, lastHour)),
    ),
    prune: run([hour], ([beforeHour], { remove }) => remove(trafficHours).where(lt(hour, beforeHour))),
  }
}

/** A later view of an address is written after so many days. */
export const viewDays = 30

export type SignedAddressTable = ReturnType<typeof createSignedAddressTable>

export function createSignedAddressTable(database: Database) {
  const { all, countUpTo, insertUnlessKnown, one, run, write } = queriesOf(database)
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const find = one([keyId, digest, anyText], ([of, name, formerName], { select }) => {
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
      .where(and(eq(keyId, of), inArray(digest, [name, formerName]), notExists(leak)))
  })
  const setView = write([keyId, digest, lastViewDay, lastViewDay], (of, { update }) =>
    update(signedAddresses)
      .set({ lastViewDay: of[2] })
      .where(and(matches([keyId, digest], of), lte(lastViewDay, of[3]))),
  )
  const leak = insertUnlessKnown(leakedSecrets)
  const count = countUpTo([keyId], ([of], { select }) =>
    select({ one: sql`1` }).from(signedAddresses).where(eq(keyId, of)),
  )
  const pageEnd = one([keyId, digest, anyNumber], ([of, after, skipped], { select }) =>
    select({ digest })
      .from(signedAddresses)
      .where(and(eq(keyId, of), gt(digest, after)))
      .orderBy(digest)
      .limit(1)
      .offset(skipped),
  )

  return {
    /** The version of the secret under which an address was counted; undefined if it was not, or that secret leaked. */
    findVersion: (keyId: string, digest: string, formerName = digest) =>
      find(keyId, digest, formerName).as((row) => row?.version),
    setView: (keyId: string, digest: string, day: number) => setView(keyId, digest, day, day - viewDays),
    count: (keyId: string, max = 10_000) => count(keyId, max),
    /** Refuses every address that was first counted under this version of the secret since that day. */
    leak: (keyId: string, version: number, sinceDay: number) => leak({ keyId, version, sinceDay }),
    nextKeys: all([keys.id, anyNumber], ([afterId, limit], { select }) =>
      select({ id: keys.id }).from(keys).where(gt(keys.id, afterId)).orderBy(keys.id).limit(limit),
    ),
    /** The last digest of a page of `size` addresses; undefined if there are not as many. */
    pageEnd: (keyId: string, after: string, size: number) =>
      pageEnd(keyId, after, size - 1).as((row) => row?.digest),
    /** Removes addresses whose last view was before a day, at most so many, the longest unseen first. Returns how many. */
    removeUnseen: run([keyId, lastViewDay, anyNumber], ([of, beforeDay, limit], { select, remove }) => {
      const unseen = select({ keyId, digest })
        .from(signedAddresses)
        .where(and(eq(keyId, of), lt(lastViewDay, beforeDay)))
        .orderBy(lastViewDay)
        .limit(limit)
      return remove(signedAddresses).where(sql`(${keyId}, ${digest}) in ${unseen}`)
    }),
  }
}
