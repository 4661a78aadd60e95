import { type Clock, utcDay } from '../../lib/clock.ts'
import type { Meter } from '../meter.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'

/** Calls of one kind that are counted and stored before they come, while many of them come. */
export interface PrefetchedCalls {
  /** Returns the reservation of a call: one that was stored ahead, or one of its own. */
  reserve(): Promise<QuotaReservation>
  /** Releases what nobody has called for. */
  releaseUnused(): void
  /** Whether nothing is held and nothing is under way. */
  isIdle(): boolean
}

interface Deps {
  readonly meter: Meter
  readonly clock: Clock
  /** The request that each of the calls makes. */
  readonly request: ReservationRequest
}

/** So many calls must come while one is counted, or counting ahead is not worth it. */
const busyCalls = 16
/** At most so many are held, and lost where the process is killed. */
const heldMax = 500
/**
 * Only while this much of the quota is left: servers cannot use it up in the milliseconds for which another one holds a
 * few hundred calls, so nobody is refused for calls that nobody made.
 */
export const roomMin = 100_000
/** Calls held for longer than this, and than two round trips, are released. */
const holdMs = 20

export function createPrefetchedCalls({ meter, clock, request }: Deps): PrefetchedCalls {
  let held: QuotaReservation[] = []
  let isAsking = false
  /** Calls since the database was asked last, and those that came while it answered the time before. */
  let callsSinceAsked = 0
  let callsPerRoundTrip = 0
  let roundTripMs = 0
  let callsSinceSweep = 0
  let willSweep = false

  /** Watches how many calls come until the answer is there. */
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

  /** Releases what the calls since the last time would not have used up. */
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
    reserve() {
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
