import { and, eq, inArray, sql } from 'drizzle-orm'
import { awakeNowMs, type Clock, dayMs, utcDay } from '../../lib/clock.ts'
import type { BuiltQuery } from '../database.ts'
import {
  type CountedAddress,
  MeterUnavailable,
  type QuotaReservation,
  type ReservationRequest,
  type WaitingCall,
  type WaitingRelease,
} from '../meter.ts'
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
import { findStoreError, isLocked, lockPatienceMs, retryDelayMs } from '../store-error.ts'
import { type TrafficKind, viewDays } from '../usage.ts'
import { sqliteBuilders, sqliteTexts } from './sqlite-database.ts'

/** While nobody waits for an answer. */
const releaseDelayMsMax = 1_000

/**
 * Counts in batches, because a write for each call would halve the throughput. A batch is one transaction at the end
 * of the event loop's turn. Calls that come while another process holds the write lock join the batch that waits.
 */
export function createSqliteMeter(sqlite: Sqlite, clock: Clock) {
  const statements = prepareQuotaStatements(sqlite)
  let calls: WaitingCall[] = []
  let releases: WaitingRelease[] = []
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false

  function schedule(): void {
    if (!isScheduled) setImmediate(flush)
    isScheduled = true
  }

  /** The day is that of now: the one in which the calls came may have ended while they waited for other processes. */
  function decide(batch: readonly WaitingCall[], released: readonly WaitingRelease[]) {
    // Releases come first, because they make room for the calls.
    for (const { reservation } of released) {
      const quotas = createQuotaBatch(statements, reservation.day)
      quotas.release(reservation)
      quotas.write()
    }
    const quotas = createQuotaBatch(statements, utcDay(clock.now()))
    const reservations = batch.map(({ request }) => quotas.reserve(request))
    quotas.write()
    return reservations
  }

  function flush(): void {
    clearTimeout(timer)
    isScheduled = false
    const batch = calls
    const released = releases
    if (batch.length === 0 && released.length === 0) return
    calls = []
    releases = []
    let reservations: readonly QuotaReservation[]
    try {
      reservations = sqlite.transaction(() => decide(batch, released))
    } catch (cause) {
      retryOrReject(batch, released, cause)
      return
    }
    tries = 0
    for (const { resolve } of released) resolve()
    for (const [index, reservation] of reservations.entries()) batch[index]?.resolve(reservation)
  }

  /** While another process holds the lock, calls wait, each until its patience ends. Nobody waits for releases. */
  function retryOrReject(batch: readonly WaitingCall[], released: readonly WaitingRelease[], cause: unknown) {
    const nowMs = awakeNowMs()
    const error = new MeterUnavailable('The call could not be counted.', { cause })
    for (const call of batch) {
      if (isLocked(cause) && nowMs < call.deadlineMs) calls.push(call)
      else call.reject(error)
    }
    for (const { resolve } of released) resolve()
    if (findStoreError(cause) !== undefined) releases = [...released, ...releases]
    if (calls.length > 0) timer = setTimeout(flush, retryDelayMs(tries))
    else if (releases.length > 0) timer = setTimeout(flush, retryDelayMs(tries, releaseDelayMsMax)).unref()
    tries += 1
  }

  return {
    reserve(request: ReservationRequest): Promise<QuotaReservation> {
      if (calls.length === 0) schedule()
      const deadlineMs = awakeNowMs() + lockPatienceMs
      return new Promise((resolve, reject) => calls.push({ request, deadlineMs, resolve, reject }))
    },
    release(reservation: QuotaReservation): Promise<void> {
      schedule()
      return new Promise((resolve) => releases.push({ reservation, resolve }))
    },
    flush,
  }
}

/** The counts of one UTC day that a transaction reads once, changes for many calls and writes once. */
function createQuotaBatch(statements: QuotaStatements, day: number) {
  const buckets = createBucketCounts(statements, day)
  const names = createCountedNames(statements, day)
  const requests = createRequestCounts(statements, day)
  const isStale = createStaleCheck(statements)
  const resetsAtMs = (day + 1) * dayMs

  return {
    reserve(request: ReservationRequest): QuotaReservation {
      const { bucket, limit, n = 1, dedupKey, address } = request
      const count = buckets.of(bucket)
      const stale = isStale(request)
      const row = address && names.find(address, dedupKey)
      const free = !stale && (row !== undefined || names.hasDedupKey(bucket, dedupKey))
      const fits = limit === null || count.used + Math.max(n, 1) <= limit
      const granted = !stale && (free || fits)
      const counted = granted && !free ? n : 0
      count.used += counted
      if (granted) requests.add(request, 1)
      if (counted > 0 && dedupKey !== undefined) names.addDedupKey(bucket, dedupKey)
      if (granted && n > 0 && address !== undefined) names.view(address, row, dedupKey)
      const remaining = limit === null ? null : Math.max(0, limit - count.used)
      return { request, granted, stale, counted, day, used: count.used, limit, remaining, resetsAtMs }
    },
    release({ request, granted, counted }: QuotaReservation): void {
      if (!granted) return
      const count = buckets.of(request.bucket)
      count.used = Math.max(0, count.used - counted)
      requests.add(request, -1)
      if (counted > 0) names.remove(request)
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

/** Deduplication keys and signed addresses. A change is written at once, so that the rows say what is counted. */
function createCountedNames(statements: QuotaStatements, day: number) {
  function find({ keyId, digest }: CountedAddress, formerName: string | undefined) {
    const row = statements.findAddress.get({ keyId, digest })
    if (row !== undefined || formerName === undefined) return row && { ...row, isFormer: false }
    const former = statements.findAddress.get({ keyId, digest: formerName })
    return former && { ...former, isFormer: true }
  }

  return {
    find,
    hasDedupKey: (bucket: string, dedupKey: string | undefined) =>
      dedupKey !== undefined && statements.findDedupKey.get({ day, bucket, dedupKey }) !== undefined,
    addDedupKey: (bucket: string, dedupKey: string) => statements.addDedupKey.run({ day, bucket, dedupKey }),
    view(address: CountedAddress, row: ReturnType<typeof find>, formerName: string | undefined): void {
      if (row === undefined) statements.addAddress.run({ ...address, firstDay: day, lastViewDay: day })
      else if (row.isFormer && formerName !== undefined)
        statements.renameAddress.run({ ...address, formerName })
      else if (row.version !== address.version) statements.leaveLeaked.run(address)
      if (row !== undefined && row.lastViewDay <= day - viewDays)
        statements.setView.run({ ...address, lastViewDay: day })
    },
    remove({ bucket, dedupKey, address }: ReservationRequest): void {
      if (dedupKey !== undefined) statements.removeDedupKey.run({ day, bucket, dedupKey })
      if (address !== undefined) statements.removeAddress.run({ ...address, firstDay: day })
      if (dedupKey !== undefined || address !== undefined) statements.countRelease.run({})
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
  let generation: number | undefined
  return ({ expectedRevision: expected }: ReservationRequest): boolean => {
    if (expected === undefined) return false
    generation ??= findGeneration.get({})?.generation
    if (expected.generation === generation) return false
    return findRevision.get({ id: expected.keyId })?.revision !== expected.revision
  }
}

/** The statements of quota batches, which run to their end in one turn of the event loop. */
type QuotaStatements = ReturnType<typeof prepareQuotaStatements>

function prepareQuotaStatements(sqlite: Sqlite) {
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
