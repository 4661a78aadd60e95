import type { Clock } from '../../lib/clock.ts'
import type { Meter } from '../meter.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'
import { createPrefetchedCalls, type PrefetchedCalls } from './prefetched-calls.ts'
import { isEqual } from './quota-runs.ts'

/** Answers calls to a busy bucket without waiting for the database: some are counted and stored before they come. */
export interface QuotaPrefetch {
  reserve(request: ReservationRequest): Promise<QuotaReservation>
  /** Releases what nobody has called for. */
  releaseUnused(): void
  /** Whether nothing is held and nothing is under way. */
  isIdle(): boolean
}

/**
 * Not where a call depends on more than the count: a key may be revoked, and a URL may have been counted, after the
 * database was asked.
 */
export function createQuotaPrefetch(meter: Meter, clock: Clock): QuotaPrefetch {
  const kinds = new Map<string, { readonly request: ReservationRequest; readonly calls: PrefetchedCalls }>()

  function kindOf(request: ReservationRequest) {
    const { endpoint = '' } = request
    const found = kinds.get(endpoint)
    if (found !== undefined || kinds.size >= kindsMax) return found
    const kind = { request, calls: createPrefetchedCalls({ meter, clock, request }) }
    kinds.set(endpoint, kind)
    return kind
  }

  return {
    reserve(request) {
      if (!dependsOnCountAlone(request)) return meter.reserve(request)
      const kind = kindOf(request)
      return kind !== undefined && isEqual(kind.request, request)
        ? kind.calls.reserve()
        : meter.reserve(request)
    },
    releaseUnused() {
      for (const { calls } of kinds.values()) calls.releaseUnused()
    },
    isIdle: () => [...kinds.values()].every(({ calls }) => calls.isIdle()),
  }
}

/** There are fewer endpoints. */
const kindsMax = 32

function dependsOnCountAlone(request: ReservationRequest): boolean {
  const { limit, n = 1, dedupKey, address, expectedRevision } = request
  const isPlain = dedupKey === undefined && address === undefined && expectedRevision === undefined
  return limit !== null && n > 0 && isPlain
}
