import { type AwakeTimeout, awakeNowMs, setAwakeTimeout } from '../../lib/awake-time.ts'
import type { Connection } from './connection.ts'
import { ConnectionLost, sqlState } from './connection-lost.ts'
import { patienceMs } from './database-link.ts'
import { type Entries, type QuotaQueue, unavailable } from './quota-queue.ts'
import { runsOf } from './quota-runs.ts'
import type { BatchDecision, NumberedBatch, QuotaSlots } from './quota-slots.ts'

/** Batches that were sent and have no answer yet. Each keeps its slot until its fate is known. */
export interface QuotaFlights {
  has(slot: number): boolean
  count(): number
  /** How many calls wait for an answer that will come, or whose loss will be noticed: not those that had to be asked for. */
  calls(): number
  /** Sends a batch of what waits. */
  start(slot: number, connection: Connection): void
  /** Asks over a new connection what became of every batch. */
  resend(connection: Connection): void
  /** Refuses the calls of every batch. What turns out to be counted for them is given back. */
  abandon(cause: unknown): void
}

interface Deps {
  readonly slots: QuotaSlots
  readonly queue: QuotaQueue
  /** Called when a slot is free again, with the delay that is good before its next use. */
  readonly onFree: (delayMs: number) => void
}

interface Flight extends Entries {
  readonly batch: NumberedBatch
  /** Until when its calls wait, by `awakeNowMs`. */
  readonly deadlineMs: number
  timer: AwakeTimeout | undefined
  /** How often it was sent: what is known of one copy is not known of another. */
  copies: number
  isAbandoned: boolean
}

const retryDelayMs = 20

export function createQuotaFlights({ slots, queue, onFree }: Deps): QuotaFlights {
  const flights = new Map<number, Flight>()

  async function send(flight: Flight, connection: Connection): Promise<void> {
    const restMs = flight.deadlineMs - awakeNowMs()
    if (restMs <= 0) abandon(flight, tooLate)
    flight.copies += 1
    try {
      const decision = flight.isAbandoned
        ? await slots.recall(connection, flight.batch, patienceMs)
        : await slots.decide(connection, flight.batch, restMs)
      settle(flight, decision)
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
    timer?.clear()
    flights.delete(batch.slot)
  }

  return {
    has: (slot) => flights.has(slot),
    count: () => flights.size,
    calls() {
      let count = 0
      for (const { calls, copies, isAbandoned } of flights.values())
        if (copies <= 1 && !isAbandoned) count += calls.length
      return count
    },
    start(slot, connection) {
      const flight = takeOff(slots, queue, slot)
      flight.timer = setAwakeTimeout(() => abandon(flight, tooLate), flight.deadlineMs - awakeNowMs())
      flights.set(slot, flight)
      void send(flight, connection)
    },
    resend(connection) {
      for (const flight of flights.values()) void send(flight, connection)
    },
    abandon(cause) {
      for (const flight of flights.values()) abandon(flight, cause)
    },
  }
}

function takeOff(slots: QuotaSlots, queue: QuotaQueue, slot: number): Flight {
  const entries = queue.take()
  const runs = runsOf(entries.calls.map(({ request }) => request))
  const released = entries.releases.map(({ reservation }) => reservation)
  const deadlineMs = entries.calls[0]?.deadlineMs ?? awakeNowMs() + patienceMs
  const batch = slots.number(slot, { runs, released })
  return { ...entries, batch, deadlineMs, timer: undefined, copies: 0, isAbandoned: false }
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
