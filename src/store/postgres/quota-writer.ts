import { type AwakeTimeout, awakeNowMs, type Clock, setAwakeTimeout } from '../../lib/clock.ts'
import {
  type Meter,
  MeterUnavailable,
  type QuotaReservation,
  type ReservationRequest,
  type WaitingCall,
  type WaitingRelease,
} from '../meter.ts'
import { StoreError } from '../store-error.ts'
import { type Connection, ConnectionLost, sqlState } from './connection.ts'
import { patienceMs } from './connection-pool.ts'
import { createQuotaPrefetch } from './quota-prefetch.ts'
import {
  type BatchDecision,
  createQuotaSlots,
  type NumberedBatch,
  type QuotaSlots,
  runsOf,
  slotsMax,
} from './quota-slots.ts'

/** A batch is worth sending while others are on their way when it has this share of an equal part of all calls. */
const sharePart = 1 / 2
/** Over a link that is faster than this, waiting for one batch to join the next costs less than more batches do. */
const fastLinkMs = 1
const linkTimeMsMax = 100

/**
 * Counts calls in PostgreSQL: exact over all servers, whatever happens to the connection. A call waits in the queue,
 * flies in a numbered batch that occupies a slot until its fate is known, and is answered when the batch is stored.
 */
export function createQuotaWriter(clock: Clock) {
  const slots = createQuotaSlots(clock)
  const queue = createQueue()
  const flights = createFlights(slots, queue, (delayMs) =>
    delayMs === 0 ? sendWaiting() : setTimeout(sendWaiting, delayMs),
  )
  let current: Connection | undefined
  let depth = slotsMax
  let absence: unknown
  let isScheduled = false

  /** Calls that come in one turn of the event loop share a batch. */
  function schedule(): void {
    if (!isScheduled) setImmediate(sendWaiting)
    isScheduled = true
  }

  function sendWaiting(): void {
    isScheduled = false
    if (!isWorthSending()) return
    for (let slot = 0; slot < depth && current?.isOpen() && queue.size() > 0; slot += 1) {
      if (!flights.has(slot)) flights.start(slot, current)
    }
  }

  /**
   * A few calls wait for the next answer, and go with those that it brings about: a batch costs the same whatever its
   * size, and a small one takes the place of a larger one that comes a moment later.
   */
  function isWorthSending(): boolean {
    const underWay = flights.calls()
    return underWay === 0 || queue.size() >= ((underWay + queue.size()) / depth) * sharePart
  }

  const meter: Meter = {
    reserve(request) {
      schedule()
      return queue.addCall(request)
    },
    release(reservation) {
      if (!reservation.granted) return Promise.resolve()
      const stored = queue.addRelease(reservation)
      if (absence !== undefined) return Promise.resolve()
      schedule()
      return stored
    },
  }
  const prefetch = createQuotaPrefetch(meter, clock)

  return {
    reserve: (request: ReservationRequest) =>
      absence === undefined ? prefetch.reserve(request) : Promise.reject(unavailable(absence)),
    release: meter.release,
    async prepare(connection: Connection): Promise<void> {
      await slots.register(connection)
      await connection.keepStatements()
      depth = (await linkTimeMs(connection)) < fastLinkMs ? 1 : slotsMax
    },
    /** To be called with each prepared connection: asks what became of batches without an answer, and sends what waits. */
    open(connection: Connection): void {
      absence = undefined
      current = connection
      flights.resend(connection)
      sendWaiting()
    },
    /** To be called when the database is away: calls that wait are refused now, and later ones at once. */
    away(cause: unknown): void {
      absence = cause
      prefetch.releaseUnused()
      flights.abandon(cause)
      queue.stopWaiting(cause)
    },
    isIdle: () => flights.count() === 0 && queue.size() === 0 && prefetch.isIdle(),
  }
}

/** The shortest of some round trips, as a busy event loop makes the others longer; over a slow link they are fewer. */
async function linkTimeMs(connection: Connection): Promise<number> {
  const beganMs = performance.now()
  let shortestMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 10 && performance.now() - beganMs < linkTimeMsMax; tries += 1) {
    const startMs = performance.now()
    await connection.query('select 1')
    shortestMs = Math.min(shortestMs, performance.now() - startMs)
  }
  return shortestMs
}

interface Entries {
  readonly calls: readonly WaitingCall[]
  readonly releases: readonly WaitingRelease[]
}

/** Few enough that nobody waits long for the locks of a batch. */
const entriesMax = 500

function createQueue() {
  let calls: WaitingCall[] = []
  let releases: WaitingRelease[] = []
  let timer: AwakeTimeout | undefined

  /** Refuses the calls whose time is over. Those that came first are in front. */
  function expire(): void {
    timer = undefined
    const nowMs = awakeNowMs()
    const expired = calls.findIndex(({ deadlineMs }) => deadlineMs > nowMs)
    const over = calls.splice(0, expired === -1 ? calls.length : expired)
    for (const { reject } of over) reject(unavailable(new Error('It waited too long.')))
    schedule()
  }

  function schedule(): void {
    const [first] = calls
    if (first === undefined || timer !== undefined) return
    timer = setAwakeTimeout(expire, first.deadlineMs - awakeNowMs())
  }

  return {
    addCall: (request: ReservationRequest): Promise<QuotaReservation> =>
      new Promise((resolve, reject) => {
        calls.push({ request, deadlineMs: awakeNowMs() + patienceMs, resolve, reject })
        schedule()
      }),
    addRelease: (reservation: QuotaReservation): Promise<void> =>
      new Promise((resolve) => releases.push({ reservation, resolve })),
    take: (): Entries => ({ calls: calls.splice(0, entriesMax), releases: releases.splice(0, entriesMax) }),
    /** Puts back what was taken and is certainly not stored, in front of all others. */
    putBack(entries: Entries): void {
      calls = [...entries.calls, ...calls]
      releases = [...entries.releases, ...releases]
      schedule()
    },
    size: () => calls.length + releases.length,
    /** Refuses every call, and lets nobody wait for a release any more. The releases stay. */
    stopWaiting(cause: unknown): void {
      const refused = calls
      calls = []
      for (const { reject } of refused) reject(unavailable(cause))
      for (const { resolve } of releases) resolve()
    },
  }
}

/** Nothing was granted. What may have been counted is given back. */
function unavailable(cause: unknown): MeterUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const fault = new StoreError('failing', `The call could not be counted (DATABASE_URL): ${reason}`, cause)
  return new MeterUnavailable('The call could not be counted.', { cause: fault })
}

interface Flight extends Entries {
  readonly batch: NumberedBatch
  readonly deadlineMs: number
  readonly timer: AwakeTimeout
  /** Copies that were sent: what is known of one is not known of another. */
  copies: number
  isAbandoned: boolean
}

const retryDelayMs = 20

/** Batches without an answer yet. @param onFree called with the delay before the next use of a slot that is free again */
function createFlights(
  slots: QuotaSlots,
  queue: ReturnType<typeof createQueue>,
  onFree: (delayMs: number) => void,
) {
  const flights = new Map<number, Flight>()

  async function send(flight: Flight, connection: Connection): Promise<void> {
    const restMs = flight.deadlineMs - awakeNowMs()
    if (restMs <= 0) abandon(flight, tooLate)
    flight.copies += 1
    try {
      const { batch, isAbandoned } = flight
      settle(flight, await slots.decide(connection, batch, isAbandoned ? patienceMs : restMs, isAbandoned))
    } catch (error) {
      // A batch whose connection was lost is sent again over the next one.
      if (!(error instanceof ConnectionLost)) refuse(flight, connection, error)
    }
  }

  function settle(flight: Flight, decision: BatchDecision): void {
    land(flight)
    const { calls, releases, isAbandoned } = flight
    if (decision === undefined) queue.putBack({ calls: [], releases })
    else for (const { resolve } of releases) resolve()
    for (const [index, reservation] of (decision ?? []).entries()) {
      if (!isAbandoned) calls[index]?.resolve(reservation)
      else if (reservation.granted) void queue.addRelease(reservation)
    }
    onFree(0)
  }

  /** The server says that this copy of the batch was not stored. */
  function refuse(flight: Flight, connection: Connection, error: unknown): void {
    const state = sqlState(error) ?? ''
    if (state === readOnlyState) connection.destroy('the server is read-only now')
    if (flight.copies > 1 || flight.isAbandoned) {
      // An earlier copy may be stored at any moment, so it is still this number that is asked for.
      setTimeout(() => connection.isOpen() && void send(flight, connection), retryDelayMs)
      return
    }
    land(flight)
    const { calls, releases } = flight
    const isPassing = passingStates.has(state)
    queue.putBack({ calls: isPassing ? calls : [], releases })
    if (!isPassing) for (const { reject } of calls) reject(unavailable(error))
    onFree(retryDelayMs)
  }

  function land({ batch, timer }: Flight): void {
    timer.clear()
    flights.delete(batch.slot)
  }

  return {
    has: (slot: number) => flights.has(slot),
    count: () => flights.size,
    /** Calls that wait for an answer that will come, or whose loss will be noticed: not those that had to be asked for. */
    calls(): number {
      let count = 0
      for (const { calls, copies, isAbandoned } of flights.values())
        if (copies <= 1 && !isAbandoned) count += calls.length
      return count
    },
    start(slot: number, connection: Connection): void {
      const entries = queue.take()
      const runs = runsOf(entries.calls.map(({ request }) => request))
      const released = entries.releases.map(({ reservation }) => reservation)
      const deadlineMs = entries.calls[0]?.deadlineMs ?? awakeNowMs() + patienceMs
      const batch = slots.number(slot, { runs, released })
      const timer = setAwakeTimeout(() => abandon(flight, tooLate), deadlineMs - awakeNowMs())
      const flight: Flight = { ...entries, batch, deadlineMs, timer, copies: 0, isAbandoned: false }
      flights.set(slot, flight)
      void send(flight, connection)
    },
    /** Asks over a new connection what became of every batch. */
    resend(connection: Connection): void {
      for (const flight of flights.values()) void send(flight, connection)
    },
    /** Refuses the calls of every batch. What turns out to be counted for them is given back. */
    abandon(cause: unknown): void {
      for (const flight of flights.values()) abandon(flight, cause)
    },
  }
}

function abandon(flight: Flight, cause: unknown): void {
  if (flight.isAbandoned) return
  flight.isAbandoned = true
  for (const { reject } of flight.calls) reject(unavailable(cause))
  for (const { resolve } of flight.releases) resolve()
}

const tooLate = new Error('There was no answer in time.')
const readOnlyState = '25006'
/** A lock that was not had in time, a deadlock, a statement that was cancelled: another try may succeed. */
const passingStates: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '57014', readOnlyState])
