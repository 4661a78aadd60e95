import { dayMs } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { TrafficKind } from '../store/traffic.ts'
import type { QuotaReservation, ReservationRequest } from './quota-reservation.ts'

/** The numbers of one UTC day that a transaction reads once, changes for many calls and writes once. */
export interface QuotaBatch {
  readonly day: number
  reserve(request: ReservationRequest): QuotaReservation
  release(reservation: QuotaReservation): void
  write(): void
}

/** Lives no longer than the transaction that it is made in. */
export function createQuotaBatch(
  { usage, deduplication: seen, traffic, keys }: Store,
  day: number,
): QuotaBatch {
  const counts = new Map<string, { readonly stored: number; used: number }>()
  const requests: { readonly kind: TrafficKind; count: number }[] = []
  const revisions = new Map<string, number | undefined>()
  const things = new Map<string, boolean>()
  const resetsAtMs = (day + 1) * dayMs

  function countOf(bucket: string) {
    let count = counts.get(bucket)
    if (count === undefined) {
      const stored = usage.used(day, bucket)
      count = { stored, used: stored }
      counts.set(bucket, count)
    }
    return count
  }

  function isStale({ expectedRevision: guard }: ReservationRequest): boolean {
    if (guard === undefined) return false
    if (!revisions.has(guard.keyId)) revisions.set(guard.keyId, keys.revision(guard.keyId))
    return revisions.get(guard.keyId) !== guard.revision
  }

  function wasSeen(bucket: string, thing: string): boolean {
    const name = `${bucket} ${thing}`
    let known = things.get(name)
    if (known === undefined) {
      known = seen.has(day, bucket, thing)
      things.set(name, known)
    }
    return known
  }

  function addThing(bucket: string, thing: string): void {
    things.set(`${bucket} ${thing}`, true)
    seen.add(day, bucket, thing)
  }

  function removeThing(bucket: string, thing: string): void {
    things.set(`${bucket} ${thing}`, false)
    seen.remove(day, bucket, thing)
  }

  function addTraffic({ endpoint, auth, n }: ReservationRequest, change: number): void {
    if (endpoint === undefined || auth === undefined || n === 0) return
    // There are a few kinds, and a batch mostly asks for one of them.
    const known = requests.find(({ kind }) => kind.endpoint === endpoint && kind.auth === auth)
    if (known === undefined) requests.push({ kind: { endpoint, auth, status: '2xx' }, count: change })
    else known.count += change
  }

  return {
    day,
    reserve(request) {
      const { bucket, limit, n = 1, dedupKey: once } = request
      const count = countOf(bucket)
      const stale = isStale(request)
      const free = !stale && once !== undefined && wasSeen(bucket, once)
      const fits = limit === null || count.used + Math.max(n, 1) <= limit
      const granted = !stale && (free || fits)
      const counted = granted && !free ? n : 0
      count.used += counted
      if (granted) addTraffic(request, 1)
      if (counted > 0 && once !== undefined) addThing(bucket, once)
      const remaining = limit === null ? null : Math.max(0, limit - count.used)
      return { request, granted, stale, counted, day, used: count.used, limit, remaining, resetsAtMs }
    },
    release({ request, granted, counted }) {
      if (!granted) return
      const count = countOf(request.bucket)
      count.used = Math.max(0, count.used - counted)
      addTraffic(request, -1)
      if (counted > 0 && request.dedupKey !== undefined) removeThing(request.bucket, request.dedupKey)
    },
    write() {
      for (const [bucket, { stored, used }] of counts) if (used !== stored) usage.set(day, bucket, used)
      for (const { kind, count } of requests) if (count !== 0) traffic.add(day, kind, count)
    },
  }
}
