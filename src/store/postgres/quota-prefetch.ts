import { type Clock, utcDay } from '../../lib/clock.ts'
import type { Meter, QuotaReservation, ReservationRequest } from '../meter.ts'
import { isEqual } from './quota-slots.ts'

/** There are fewer endpoints. */
const kindsMax = 32

/** Answers calls to a busy bucket without waiting for the database: some are counted and stored before they come. */
export function createQuotaPrefetch(meter: Meter, clock: Clock) {
  const kinds = new Map<string, ReturnType<typeof createPrefetchedCalls>>()

  function kindOf(request: ReservationRequest) {
    const { endpoint = '' } = request
    const found = kinds.get(endpoint)
    if (found !== undefined || kinds.size >= kindsMax) return found
    const calls = createPrefetchedCalls(meter, clock, request)
    kinds.set(endpoint, calls)
    return calls
  }

  return {
    reserve(request: ReservationRequest): Promise<QuotaReservation> {
      if (!dependsOnCountAlone(request)) return meter.reserve(request)
      const kind = kindOf(request)
      return kind !== undefined && isEqual(kind.request, request) ? kind.reserve() : meter.reserve(request)
    },
    releaseUnused(): void {
      for (const calls of kinds.values()) calls.releaseUnused()
    },
    isIdle: () => [...kinds.values()].every((calls) => calls.isIdle()),
  }
}

/** A key may be revoked, and a URL may have been counted, after the database was asked. */
function dependsOnCountAlone(request: ReservationRequest): boolean {
  const { limit, n = 1, dedupKey, address, expectedRevision } = request
  const isPlain = dedupKey === undefined && address === undefined && expectedRevision === undefined
  return limit !== null && n > 0 && isPlain
}

/** So many calls must come while one is counted, or counting ahead is not worth it. */
const busyCalls = 16
/** At most so many are held, and lost where the process is killed. */
const heldMax = 500
/** Only while so much is left: servers cannot use it up while another holds some hundred calls, so nobody is refused for these. */
export const roomMin = 100_000
/** Calls held for longer than this, and than two round trips, are released. */
const holdMs = 20

/** Calls of one kind that are counted and stored before they come, while many of them come. */
export function createPrefetchedCalls(meter: Meter, clock: Clock, request: ReservationRequest) {
  let held: QuotaReservation[] = []
  let isAsking = false
  /** Calls since the database was asked last, and those that came while it answered the time before. */
  let callsSinceAsked = 0
  let callsPerRoundTrip = 0
  let roundTripMs = 0
  let callsSinceSweep = 0
  let willSweep = false

  async function watchRoundTrip(reservations: readonly Promise<QuotaReservation>[]): Promise<void> {
    isAsking = true
    callsSinceAsked = 0
    const startMs = performance.now()
    const answers = await Promise.allSettled(reservations)
    isAsking = false
    roundTripMs = performance.now() - startMs
    callsPerRoundTrip = answers.every(hasRoom) ? callsSinceAsked : 0
    if (callsPerRoundTrip < busyCalls) releaseUnused()
  }

  async function reserveAhead(count: number): Promise<void> {
    const reservations = Array.from({ length: count }, () => meter.reserve(request))
    for (const reservation of reservations) reservation.then(hold, () => {})
    await watchRoundTrip(reservations)
  }

  function hold(reservation: QuotaReservation): void {
    if (reservation.granted) held.push(reservation)
    sweepLater()
  }

  function sweepLater(): void {
    if (willSweep || held.length === 0) return
    willSweep = true
    setTimeout(sweep, Math.max(holdMs, 2 * roundTripMs))
  }

  function sweep(): void {
    willSweep = false
    release(held.splice(callsSinceSweep))
    callsSinceSweep = 0
    sweepLater()
  }

  function releaseUnused(): void {
    release(held)
    held = []
  }

  function release(reservations: readonly QuotaReservation[]): void {
    for (const reservation of reservations) void meter.release(reservation)
  }

  return {
    request,
    reserve(): Promise<QuotaReservation> {
      callsSinceAsked += 1
      callsSinceSweep += 1
      if (held[0] !== undefined && held[0].day !== utcDay(clock.now())) releaseUnused()
      const found = held.shift()
      const wanted = Math.min(heldMax, 2 * callsPerRoundTrip)
      if (!isAsking && callsPerRoundTrip >= busyCalls && held.length < wanted / 2)
        void reserveAhead(wanted - held.length)
      if (found !== undefined) return Promise.resolve(found)
      const reservation = meter.reserve(request)
      if (!isAsking) void watchRoundTrip([reservation])
      return reservation
    },
    releaseUnused,
    isIdle: () => !isAsking && held.length === 0,
  }
}

function hasRoom(answer: PromiseSettledResult<QuotaReservation>): boolean {
  if (answer.status === 'rejected' || !answer.value.granted) return false
  return (answer.value.remaining ?? 0) >= roomMin
}
