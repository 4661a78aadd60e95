import { dayMs } from '../../lib/clock.ts'
import type { CountedAddress, QuotaReservation, ReservationRequest } from '../quota-reservation.ts'
import { viewDays } from '../signed-addresses.ts'
import type { TrafficKind } from '../traffic.ts'
import type { QuotaStatements } from './quota-statements.ts'

/**
 * The counts of one UTC day that a transaction reads once, changes for many calls and writes once. Valid within the
 * transaction that it is made in, and no longer.
 */
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

/** Counts the calls that each bucket has used. */
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

/** Which deduplication keys were counted. A change is written at once. */
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

/** Which signed addresses were answered before, in the order of the batch. A change is written at once. */
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
    /** Stores that the address was answered. */
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

/** How many granted requests of each kind there were, for the traffic statistics. */
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

/**
 * Whether the key of a request has changed since the caller read it. While no key has changed at all, one row that every
 * batch reads says so; of a million keys the row of this one is rarely in memory.
 */
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
