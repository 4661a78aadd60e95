import { dayMs } from '../../lib/clock.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'

/** Equal requests that follow one another, and where each stands in the batch. */
export interface QuotaRun {
  readonly request: ReservationRequest
  readonly positions: number[]
}

/**
 * Folds a batch into runs, bucket by bucket: buckets do not depend on one another, and within each the order stays. A
 * busy batch is mostly one run, whatever its size.
 */
export function runsOf(requests: readonly ReservationRequest[]): readonly QuotaRun[] {
  const buckets = new Map<string, QuotaRun[]>()
  for (const [position, request] of requests.entries()) {
    const runs = buckets.get(request.bucket)
    const last = runs?.at(-1)
    if (last !== undefined && isEqual(last.request, request)) last.positions.push(position)
    else if (runs !== undefined) runs.push({ request, positions: [position] })
    else buckets.set(request.bucket, [{ request, positions: [position] }])
  }
  return [...buckets.values()].flat()
}

export function isEqual(one: ReservationRequest, other: ReservationRequest): boolean {
  return (
    one.bucket === other.bucket &&
    one.limit === other.limit &&
    one.n === other.n &&
    one.endpoint === other.endpoint &&
    one.auth === other.auth &&
    one.dedupKey === other.dedupKey &&
    one.address?.digest === other.address?.digest &&
    one.address?.version === other.address?.version &&
    one.expectedRevision?.keyId === other.expectedRevision?.keyId &&
    one.expectedRevision?.revision === other.expectedRevision?.revision
  )
}

function countsOnce({ dedupKey, address }: ReservationRequest): boolean {
  return dedupKey !== undefined || address !== undefined
}

/** How many numbers `decide_quota_calls` answers for each run. */
const numbersPerRun = 4

/**
 * The reservations of a batch, in its order, from the answer of `decide_quota_calls`: for each run how many were granted,
 * whether the key is stale, whether it counted before and is free, and what was used before.
 */
export function reservationsOf(
  runs: readonly QuotaRun[],
  answer: readonly number[],
  day: number,
): readonly QuotaReservation[] {
  const reservations: QuotaReservation[] = []
  const resetsAtMs = (day + 1) * dayMs
  for (const [index, { request, positions }] of runs.entries()) {
    const [granted = 0, stale = 0, seen = 0, usedBefore = 0] = answer.slice(index * numbersPerRun)
    const { limit, n = 1 } = request
    let used = usedBefore
    let isFree = seen !== 0
    for (const [place, position] of positions.entries()) {
      const isGranted = place < granted
      const counted = isGranted && !isFree ? n : 0
      used += counted
      isFree ||= counted > 0 && countsOnce(request)
      // Written out: a busy server makes one of these for each call.
      reservations[position] = {
        request,
        day,
        granted: isGranted,
        stale: stale !== 0,
        counted,
        used,
        limit,
        remaining: limit === null ? null : Math.max(0, limit - used),
        resetsAtMs,
      }
    }
  }
  return reservations
}
