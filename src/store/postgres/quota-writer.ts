import type { Clock } from '../../lib/clock.ts'
import type { Meter } from '../meter.ts'
import type { Connection } from './connection.ts'
import { createQuotaFlights } from './quota-flights.ts'
import { createQuotaPrefetch } from './quota-prefetch.ts'
import { createQuotaQueue, unavailable } from './quota-queue.ts'
import { createQuotaSlots, slotsMax } from './quota-slots.ts'

/** Counts calls in PostgreSQL: exact over all servers, whatever happens to the connection. */
export interface QuotaWriter extends Meter {
  /** To be called with each new connection before it is used. */
  prepare(connection: Connection): Promise<void>
  /** To be called with each prepared connection: asks what became of batches without an answer, and sends what waits. */
  open(connection: Connection): void
  /** To be called when the database is away: whoever waits is refused now, and whoever comes is refused at once. */
  away(cause: unknown): void
  /** Whether nothing is under way and nothing waits. */
  isIdle(): boolean
}

/** A batch is worth sending while others are on their way when it has this share of an equal part of all calls. */
const sharePart = 1 / 2
/** Over a link that is faster than this, waiting for one batch to join the next costs less than more batches do. */
const fastLinkMs = 1
/** How long a new connection is measured. */
const linkTimeMsMax = 100

export function createQuotaWriter(clock: Clock): QuotaWriter {
  const slots = createQuotaSlots(clock)
  const queue = createQuotaQueue()
  const flights = createQuotaFlights({
    slots,
    queue,
    onFree: (delayMs) => (delayMs === 0 ? sendWaiting() : setTimeout(sendWaiting, delayMs)),
  })
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
    reserve: (request) =>
      absence === undefined ? prefetch.reserve(request) : Promise.reject(unavailable(absence)),
    release: meter.release,
    async prepare(connection) {
      await slots.register(connection)
      await connection.keepStatements()
      depth = (await linkTimeMs(connection)) < fastLinkMs ? 1 : slotsMax
    },
    open(connection) {
      absence = undefined
      current = connection
      flights.resend(connection)
      sendWaiting()
    },
    away(cause) {
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
