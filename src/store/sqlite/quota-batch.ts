import { dayMs } from '../../lib/clock.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'
import type { TrafficKind } from '../traffic.ts'
import type { QuotaStatements } from './quota-statements.ts'

/**
 * The counts of one UTC day that a transaction reads once, changes for many calls and writes once. Valid within the
 * transaction that it is made in, and no longer.
 */
export function createQuotaBatch({ usage, deduplication, traffic, keys }: QuotaStatements, day: number) {
  const buckets = createBucketCounts(usage, day)
  const dedupKeys = createDedupKeys(deduplication, day)
  const requests = createRequestCounts(traffic, day)
  const isStale = createStaleCheck(keys)
  const resetsAtMs = (day + 1) * dayMs

  return {
    reserve(request: ReservationRequest): QuotaReservation {
      const { bucket, limit, n = 1, dedupKey } = request
      const count = buckets.of(bucket)
      const stale = isStale(request)
      const free = !stale && dedupKey !== undefined && dedupKeys.has(bucket, dedupKey)
      const fits = limit === null || count.used + Math.max(n, 1) <= limit
      const granted = !stale && (free || fits)
      const counted = granted && !free ? n : 0
      count.used += counted
      if (granted) requests.add(request, 1)
      if (counted > 0 && dedupKey !== undefined) dedupKeys.set(bucket, dedupKey, true)
      const remaining = limit === null ? null : Math.max(0, limit - count.used)
      return { request, granted, stale, counted, day, used: count.used, limit, remaining, resetsAtMs }
    },
    release({ request, granted, counted }: QuotaReservation): void {
      if (!granted) return
      const { bucket, dedupKey } = request
      const count = buckets.of(bucket)
      count.used = Math.max(0, count.used - counted)
      requests.add(request, -1)
      if (counted > 0 && dedupKey !== undefined) dedupKeys.set(bucket, dedupKey, false)
    },
    write(): void {
      buckets.write()
      requests.write()
    },
  }
}

/** Counts the calls that each bucket has used. */
function createBucketCounts(usage: QuotaStatements['usage'], day: number) {
  const counts = new Map<string, { readonly stored: number; used: number }>()
  return {
    of(bucket: string): { used: number } {
      const known = counts.get(bucket)
      if (known !== undefined) return known
      const stored = usage.used(day, bucket)
      const count = { stored, used: stored }
      counts.set(bucket, count)
      return count
    },
    write() {
      for (const [bucket, { stored, used }] of counts) if (used !== stored) usage.set(day, bucket, used)
    },
  }
}

/** Which deduplication keys were counted. A change is written at once. */
function createDedupKeys(deduplication: QuotaStatements['deduplication'], day: number) {
  const counted = new Map<string, boolean>()
  return {
    has(bucket: string, dedupKey: string): boolean {
      const name = `${bucket} ${dedupKey}`
      const isCounted = counted.get(name) ?? deduplication.has(day, bucket, dedupKey)
      counted.set(name, isCounted)
      return isCounted
    },
    set(bucket: string, dedupKey: string, isCounted: boolean) {
      counted.set(`${bucket} ${dedupKey}`, isCounted)
      if (isCounted) deduplication.add(day, bucket, dedupKey)
      else deduplication.remove(day, bucket, dedupKey)
    },
  }
}

/** How many granted requests of each kind there were, for the traffic statistics. */
function createRequestCounts(traffic: QuotaStatements['traffic'], day: number) {
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
      for (const { kind, count } of counts) if (count !== 0) traffic.add(day, kind, count)
    },
  }
}

/**
 * Whether the key of a request has changed since the caller read it. While no key has changed at all, one row that every
 * batch reads says so; of a million keys the row of this one is rarely in memory.
 */
function createStaleCheck(keys: QuotaStatements['keys']) {
  const revisions = new Map<string, number | undefined>()
  let generation: number | undefined
  return ({ expectedRevision: expected }: ReservationRequest): boolean => {
    if (expected === undefined) return false
    generation ??= keys.generation()
    if (expected.generation === generation) return false
    if (!revisions.has(expected.keyId)) revisions.set(expected.keyId, keys.revision(expected.keyId))
    return revisions.get(expected.keyId) !== expected.revision
  }
}
