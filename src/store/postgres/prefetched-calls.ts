import { type Clock, utcDay } from '../../lib/clock.ts'
import type { Meter } from '../meter.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'

/** Calls of one kind that are counted and stored before they come, while many of them come. */
export interface PrefetchedCalls {
  /** Returns the reservation of a call: one that was stored ahead, or one of its own. */
  take(): Promise<QuotaReservation>
  /** Gives back what nobody has called for. */
  giveBack(): void
  /** Whether nothing is held and nothing is under way. */
  isIdle(): boolean
}

interface Deps {
  readonly meter: Meter
  readonly clock: Clock
  /** What each of the calls asks for. */
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
/** What is held for longer than this, and than two round trips, is given back. */
const holdMs = 20

export function createPrefetchedCalls({ meter, clock, request }: Deps): PrefetchedCalls {
  let held: QuotaReservation[] = []
  let isFetching = false
  /** Calls since the fetch began, and in the last one from its beginning to its end. */
  let calls = 0
  let callsOfFetch = 0
  let fetchMs = 0
  let callsSinceSweep = 0
  let willSweep = false

  /** Watches how many calls come until the answer is there. */
  async function fetch(reservations: readonly Promise<QuotaReservation>[]): Promise<void> {
    isFetching = true
    calls = 0
    const startMs = performance.now()
    const answers = await Promise.allSettled(reservations)
    isFetching = false
    fetchMs = performance.now() - startMs
    callsOfFetch = answers.every(hasRoom) ? calls : 0
    if (callsOfFetch < busyCalls) giveBack()
  }

  async function fetchAhead(count: number): Promise<void> {
    const reservations = Array.from({ length: count }, () => meter.reserve(request))
    for (const reservation of reservations) reservation.then(hold, () => {})
    await fetch(reservations)
  }

  function hold(reservation: QuotaReservation): void {
    if (reservation.granted) held.push(reservation)
    sweepLater()
  }

  function sweepLater(): void {
    if (willSweep || held.length === 0) return
    willSweep = true
    setTimeout(sweep, Math.max(holdMs, 2 * fetchMs))
  }

  /** Gives back what the calls since the last time would not have used up. */
  function sweep(): void {
    willSweep = false
    release(held.splice(callsSinceSweep))
    callsSinceSweep = 0
    sweepLater()
  }

  function giveBack(): void {
    release(held)
    held = []
  }

  function release(reservations: readonly QuotaReservation[]): void {
    for (const reservation of reservations) void meter.release(reservation)
  }

  return {
    take() {
      calls += 1
      callsSinceSweep += 1
      if (held[0] !== undefined && held[0].day !== utcDay(clock.now())) giveBack()
      const found = held.shift()
      const wanted = Math.min(heldMax, 2 * callsOfFetch)
      if (!isFetching && callsOfFetch >= busyCalls && held.length < wanted / 2)
        void fetchAhead(wanted - held.length)
      if (found !== undefined) return Promise.resolve(found)
      const reservation = meter.reserve(request)
      if (!isFetching) void fetch([reservation])
      return reservation
    },
    giveBack,
    isIdle: () => !isFetching && held.length === 0,
  }
}

function hasRoom(answer: PromiseSettledResult<QuotaReservation>): boolean {
  if (answer.status === 'rejected' || !answer.value.granted) return false
  return (answer.value.remaining ?? 0) >= roomMin
}
