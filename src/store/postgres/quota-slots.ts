import { randomBytes } from 'node:crypto'
import { type Clock, dayMs, utcDay } from '../../lib/clock.ts'
import type { QuotaReservation } from '../quota-reservation.ts'
import type { Connection, PostgresValue } from './connection.ts'
import { sqlState } from './connection-lost.ts'
import { type QuotaRun, reservationsOf } from './quota-runs.ts'
import { type PlainValue, textStatement } from './text-query.ts'

/** How many batches may be on their way at once: over a slow link the next ones need not wait for the answer. */
export const slotsMax = 4

/** A batch of quota reservations and releases that is decided as one. */
export interface QuotaBatch {
  readonly runs: readonly QuotaRun[]
  readonly released: readonly QuotaReservation[]
}

/** A numbered batch. The database decides each number of a slot once, however often it is sent. */
export interface NumberedBatch extends QuotaBatch {
  readonly slot: number
  readonly sequence: number
  readonly day: number
}

/** The decision; undefined where the batch was fenced before it was decided: nothing of it is stored, now or later. */
export type BatchDecision = readonly QuotaReservation[] | undefined

/** The slots of this process in the database. */
export interface QuotaSlots {
  /** To be called with each new connection. */
  register(connection: Connection): Promise<void>
  number(slot: number, batch: QuotaBatch): NumberedBatch
  /** Decides the batch, or returns what was decided when it was sent before. */
  decide(connection: Connection, batch: NumberedBatch, timeoutMs: number): Promise<BatchDecision>
  /** Returns what was decided of a batch that was sent before. If nothing was, nothing ever will be. */
  recall(connection: Connection, batch: NumberedBatch, timeoutMs: number): Promise<BatchDecision>
}

const unknownWriter = 'MM001'

export function createQuotaSlots(clock: Clock): QuotaSlots {
  // Random: two machines may have the same name, and a process that was started again is another one.
  const writer = randomBytes(12).toString('hex')
  const sequences = Array.from({ length: slotsMax }, () => 0)

  async function register(connection: Connection): Promise<void> {
    await connection.query('delete from quota_slots where used_at_ms < $1', [clock.now() - dayMs])
    await connection.query(
      `insert into quota_slots (writer, slot, used_at_ms) select $1, slot, $2 from generate_series(0, $3 - 1) as slot
       on conflict do nothing`,
      [writer, clock.now(), slotsMax],
    )
  }

  async function send(
    connection: Connection,
    place: readonly PlainValue[],
    sent: QuotaBatch,
    timeoutMs: number,
  ) {
    const run = onlyRun(sent)
    if (run !== undefined) return await connection.ask(runStatement, [...place, ...valuesOf(run)], timeoutMs)
    const values = [...place, ...columnsOf(sent)]
    const [row] = await connection.query<{ readonly answer: string }>(batchStatement, values, timeoutMs)
    return row?.answer
  }

  async function decide(
    connection: Connection,
    batch: NumberedBatch,
    timeoutMs: number,
    sent: QuotaBatch = batch,
  ): Promise<BatchDecision> {
    const { slot, sequence, day } = batch
    const place = [writer, slot, sequence, clock.now(), day]
    const text = await send(connection, place, sent, timeoutMs).catch(async (error) => {
      // Slots that were not used for a day are removed.
      if (sqlState(error) !== unknownWriter) throw error
      await register(connection)
      return await send(connection, place, sent, timeoutMs)
    })
    const answer = numbersOf(text ?? '{}')
    return answer.length === 0 ? undefined : reservationsOf(batch.runs, answer.slice(1), day)
  }

  return {
    register,
    number(slot, batch) {
      const sequence = (sequences[slot] ?? 0) + 1
      sequences[slot] = sequence
      return { ...batch, slot, sequence, day: utcDay(clock.now()) }
    },
    decide: (connection, batch, timeoutMs) => decide(connection, batch, timeoutMs),
    recall: (connection, batch, timeoutMs) =>
      decide(connection, batch, timeoutMs, { runs: [], released: [] }),
  }
}

/** The numbers of an array as PostgreSQL writes it: `{1,40,0,0,7}`. */
function numbersOf(text: string): readonly number[] {
  return JSON.parse(`[${text.slice(1, -1)}]`) as readonly number[]
}

/**
 * Without the types of the parameters, which PostgreSQL knows from the function: the statement is parsed for each batch, and
 * twenty casts took a fifth of the time that the whole function takes.
 */
function callOf(name: string, parameterCount: number): string {
  const parameters = Array.from({ length: parameterCount }, (_, index) => `$${index + 1}`)
  return `select ${name}(${parameters.join(', ')})::text as answer`
}

const batchStatement = callOf('decide_quota_calls', 24)
const runStatement = textStatement('decide_quota_run', callOf('decide_quota_run', 11))

/** The run of a batch that is nothing but one run without keys, which has a function of its own. */
function onlyRun({ runs, released }: QuotaBatch): QuotaRun | undefined {
  const [run] = runs
  if (run === undefined || runs.length > 1 || released.length > 0) return undefined
  const { dedupKey, address, expectedRevision } = run.request
  return dedupKey === undefined && address === undefined && expectedRevision === undefined ? run : undefined
}

function valuesOf({ request, positions }: QuotaRun): readonly PlainValue[] {
  const { bucket, limit, n = 1, endpoint = null, auth = null } = request
  return [bucket, limit, n, positions.length, endpoint, auth]
}

function columnsOf({ runs, released }: QuotaBatch): readonly PostgresValue[] {
  const requests = runs.map(({ request }) => request)
  return [
    requests.map(({ bucket }) => bucket),
    requests.map(({ limit }) => limit),
    requests.map(({ n = 1 }) => n),
    runs.map(({ positions }) => positions.length),
    requests.map(({ dedupKey = null }) => dedupKey),
    requests.map(({ expectedRevision }) => expectedRevision?.keyId ?? null),
    requests.map(({ expectedRevision }) => expectedRevision?.revision ?? null),
    requests.map(({ endpoint = null }) => endpoint),
    requests.map(({ auth = null }) => auth),
    requests.map(({ address }) => address?.digest ?? null),
    requests.map(({ address }) => address?.version ?? null),
    released.map(({ day }) => day),
    released.map(({ request }) => request.bucket),
    released.map(({ counted }) => counted),
    released.map(({ request }) => request.dedupKey ?? null),
    released.map(({ request }) => (request.n === 0 ? null : (request.endpoint ?? null))),
    released.map(({ request }) => (request.n === 0 ? null : (request.auth ?? null))),
    released.map(({ request }) => request.address?.keyId ?? null),
    released.map(({ request }) => request.address?.digest ?? null),
  ]
}
