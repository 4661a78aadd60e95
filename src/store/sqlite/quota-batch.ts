import { and, eq, inArray, sql } from 'drizzle-orm'
import { dayMs } from '../../lib/clock.ts'
import type { BuiltQuery } from '../database.ts'
import type { CountedAddress, QuotaReservation, ReservationRequest } from '../meter.ts'
import { type Build, compileQuery, type Kinds, matches, type RowOf, type Values } from '../query.ts'
import {
  deduplicationDays,
  generations,
  keys,
  leakedSecrets,
  signedAddresses,
  trafficDays,
  usageDays,
} from '../schema.ts'
import type { Sqlite } from '../sqlite.ts'
import { type TrafficKind, viewDays } from '../usage.ts'
import { sqliteBuilders, sqliteTexts } from './sqlite-database.ts'

/** The counts of one UTC day that a transaction reads once, changes for many calls and writes once. */
export function createQuotaBatch(statements: QuotaStatements, day: number) {
  const buckets = createBucketCounts(statements, day)
  const dedupKeys = createDedupKeys(statements, day)
  const signed = createSignedAddresses(statements, day)
  const requests = createRequestCounts(statements, day)
  const isStale = createStaleCheck(statements)
  const resetsAtMs = (day + 1) * dayMs

  return {
    reserve(request: ReservationRequest): QuotaReservation {
      const { bucket, limit, n = 1, dedupKey, address } = request
      const count = buckets.of(bucket)
      const stale = isStale(request)
      const isKnown = dedupKey !== undefined && dedupKeys.has(bucket, dedupKey)
      const free = !stale && (isKnown || (address !== undefined && signed.has(address, dedupKey)))
      const fits = limit === null || count.used + Math.max(n, 1) <= limit
      const granted = !stale && (free || fits)
      const counted = granted && !free ? n : 0
      count.used += counted
      if (granted) requests.add(request, 1)
      if (counted > 0 && dedupKey !== undefined) dedupKeys.set(bucket, dedupKey, true)
      if (granted && n > 0 && address !== undefined) signed.view(address, dedupKey)
      const remaining = limit === null ? null : Math.max(0, limit - count.used)
      return { request, granted, stale, counted, day, used: count.used, limit, remaining, resetsAtMs }
    },
    release({ request, granted, counted }: QuotaReservation): void {
      if (!granted) return
      const { bucket, dedupKey, address } = request
      const count = buckets.of(bucket)
      count.used = Math.max(0, count.used - counted)
      requests.add(request, -1)
      if (counted > 0 && dedupKey !== undefined) dedupKeys.set(bucket, dedupKey, false)
      if (counted > 0 && address !== undefined) signed.remove(address)
    },
    write(): void {
      buckets.write()
      requests.write()
    },
  }
}

function createBucketCounts({ findUsed, setUsed }: QuotaStatements, day: number) {
  const counts = new Map<string, { readonly stored: number; used: number }>()
  return {
    of(bucket: string): { used: number } {
      const known = counts.get(bucket)
      if (known !== undefined) return known
      const stored = findUsed.get({ day, bucket })?.used ?? 0
      const count = { stored, used: stored }
      counts.set(bucket, count)
      return count
    },
    write() {
      for (const [bucket, { stored, used }] of counts) if (used !== stored) setUsed.run({ day, bucket, used })
    },
  }
}

/** A change is written at once. */
function createDedupKeys(statements: QuotaStatements, day: number) {
  const { findDedupKey, addDedupKey, removeDedupKey, countRelease } = statements
  const counted = new Map<string, boolean>()
  return {
    has(bucket: string, dedupKey: string): boolean {
      const name = `${bucket} ${dedupKey}`
      const isCounted = counted.get(name) ?? findDedupKey.get({ day, bucket, dedupKey }) !== undefined
      counted.set(name, isCounted)
      return isCounted
    },
    set(bucket: string, dedupKey: string, isCounted: boolean) {
      counted.set(`${bucket} ${dedupKey}`, isCounted)
      if (isCounted) addDedupKey.run({ day, bucket, dedupKey })
      else {
        removeDedupKey.run({ day, bucket, dedupKey })
        countRelease.run({})
      }
    },
  }
}

/** Addresses that were answered before, in the order of the batch. A change is written at once. */
function createSignedAddresses(statements: QuotaStatements, day: number) {
  interface KnownAddress {
    readonly version: number
    readonly lastViewDay: number
    /** The row has the name of before. */
    readonly isFormer: boolean
  }
  const known = new Map<string, KnownAddress>()

  function find(address: CountedAddress, formerName: string | undefined): KnownAddress | undefined {
    const { keyId, digest } = address
    const name = `${keyId} ${digest}`
    const row = known.get(name) ?? statements.findAddress.get({ keyId, digest })
    if (row !== undefined) {
      const found = { ...row, isFormer: false }
      known.set(name, found)
      return found
    }
    // Not remembered: calls for one address may come with several names of before.
    const former =
      formerName === undefined ? undefined : statements.findAddress.get({ keyId, digest: formerName })
    return former && { ...former, isFormer: true }
  }

  return {
    has: (address: CountedAddress, formerName: string | undefined): boolean =>
      find(address, formerName) !== undefined,
    view(address: CountedAddress, formerName: string | undefined): void {
      const row = find(address, formerName)
      const isOld = row !== undefined && row.lastViewDay <= day - viewDays
      if (row === undefined) statements.addAddress.run({ ...address, firstDay: day, lastViewDay: day })
      else if (row.isFormer && formerName !== undefined)
        statements.renameAddress.run({ ...address, formerName })
      else if (row.version !== address.version) statements.leaveLeaked.run(address)
      if (isOld) statements.setView.run({ ...address, lastViewDay: day })
      if (row === undefined || row.isFormer || isOld)
        known.set(`${address.keyId} ${address.digest}`, {
          version: row?.isFormer === false ? row.version : address.version,
          lastViewDay: row === undefined || isOld ? day : row.lastViewDay,
          isFormer: false,
        })
    },
    remove(address: CountedAddress): void {
      statements.removeAddress.run({ ...address, firstDay: day })
      statements.countRelease.run({})
      known.delete(`${address.keyId} ${address.digest}`)
    },
  }
}

function createRequestCounts({ addTraffic }: QuotaStatements, day: number) {
  // A batch mostly has one kind, so a list is faster than a map.
  const counts: { readonly kind: TrafficKind; count: number }[] = []
  return {
    add({ endpoint, auth, n }: ReservationRequest, change: number) {
      if (endpoint === undefined || auth === undefined || n === 0) return
      const same = counts.find(({ kind }) => kind.endpoint === endpoint && kind.auth === auth)
      if (same === undefined) counts.push({ kind: { endpoint, auth, status: '2xx' }, count: change })
      else same.count += change
    },
    write() {
      for (const { kind, count } of counts) if (count !== 0) addTraffic.run({ day, ...kind, count })
    },
  }
}

/** While no key has changed, one row that every batch reads says so; that of a key among a million is rarely in memory. */
function createStaleCheck({ findGeneration, findRevision }: QuotaStatements) {
  const revisions = new Map<string, number | undefined>()
  let generation: number | undefined
  return ({ expectedRevision: expected }: ReservationRequest): boolean => {
    if (expected === undefined) return false
    generation ??= findGeneration.get({})?.generation
    if (expected.generation === generation) return false
    if (!revisions.has(expected.keyId))
      revisions.set(expected.keyId, findRevision.get({ id: expected.keyId })?.revision)
    return revisions.get(expected.keyId) !== expected.revision
  }
}

/** The statements of quota batches, which run to their end in one turn of the event loop. */
export type QuotaStatements = ReturnType<typeof prepareQuotaStatements>

export function prepareQuotaStatements(sqlite: Sqlite) {
  function prepare<Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) {
    const { sql: text, bind } = compileQuery(kinds, build, sqliteBuilders)
    const statement = sqlite.prepare<RowOf<Result>>(text)
    return {
      get: (values: Values<Of>) => statement.get(...bind(values)),
      run: (values: Values<Of>): void => void statement.run(...bind(values)),
    }
  }

  const { day, bucket, used } = usageDays
  const dedup = {
    day: deduplicationDays.day,
    bucket: deduplicationDays.bucket,
    dedupKey: deduplicationDays.dedupKey,
  }
  const { keyId, digest, version, firstDay, lastViewDay } = signedAddresses
  const { endpoint, auth, status, count } = trafficDays
  return {
    findUsed: prepare({ day, bucket }, (of, { select }) =>
      select({ used }).from(usageDays).where(matches({ day, bucket }, of)),
    ),
    setUsed: prepare({ day, bucket, used }, (values, { insert }) =>
      insert(usageDays)
        .values(values)
        .onConflictDoUpdate({ target: [day, bucket], set: { used: sql`excluded.used` } }),
    ),
    findDedupKey: prepare(dedup, (of, { select }) =>
      select({ day: dedup.day }).from(deduplicationDays).where(matches(dedup, of)),
    ),
    addDedupKey: prepare(dedup, (values, { insert }) =>
      insert(deduplicationDays).values(values).onConflictDoNothing(),
    ),
    removeDedupKey: prepare(dedup, (of, { remove }) => remove(deduplicationDays).where(matches(dedup, of))),
    findAddress: prepare({ keyId, digest }, (of, { select }) =>
      select({ version, lastViewDay }).from(signedAddresses).where(matches({ keyId, digest }, of)),
    ),
    addAddress: prepare({ keyId, digest, version, firstDay, lastViewDay }, (values, { insert }) =>
      insert(signedAddresses).values(values),
    ),
    renameAddress: prepare({ keyId, digest, version, formerName: digest }, (of, { update }) =>
      update(signedAddresses)
        .set({ digest: of.digest, version: of.version })
        .where(and(eq(keyId, of.keyId), eq(digest, of.formerName))),
    ),
    setView: prepare({ keyId, digest, lastViewDay }, (of, { update }) =>
      update(signedAddresses).set({ lastViewDay: of.lastViewDay }).where(matches({ keyId, digest }, of)),
    ),
    /** Lets the row follow this version if the secret that it follows has leaked. */
    leaveLeaked: prepare({ keyId, digest, version }, (of, { update, select }) => {
      const leaked = select({ version: leakedSecrets.version })
        .from(leakedSecrets)
        .where(eq(leakedSecrets.keyId, of.keyId))
      return update(signedAddresses)
        .set({ version: of.version })
        .where(and(matches({ keyId, digest }, of), inArray(version, leaked)))
    }),
    removeAddress: prepare({ keyId, digest, firstDay }, (of, { remove }) =>
      remove(signedAddresses).where(matches({ keyId, digest, firstDay }, of)),
    ),
    /** Calls that were granted before may be refused now. */
    countRelease: prepare({}, (_, { update }) =>
      update(generations)
        .set({ generation: sql`${generations.generation} + 1` })
        .where(eq(generations.name, 'releases')),
    ),
    addTraffic: prepare({ day: trafficDays.day, endpoint, auth, status, count }, (of, { raw }) =>
      raw(sqliteTexts.addTraffic(of)),
    ),
    findRevision: prepare({ id: keys.id }, (of, { select }) =>
      select({ revision: keys.revision }).from(keys).where(eq(keys.id, of.id)),
    ),
    findGeneration: prepare({}, (_, { select }) =>
      select({ generation: generations.generation }).from(generations).where(eq(generations.name, 'keys')),
    ),
  }
}
