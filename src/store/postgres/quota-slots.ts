import { randomBytes } from 'node:crypto'
import { type Clock, dayMs, utcDay } from '../../lib/clock.ts'
import type { QuotaReservation, ReservationRequest } from '../meter.ts'
import { type Connection, type PlainValue, sqlState, textStatement } from './connection.ts'

/** So many batches may be on their way at once: over a slow link the next ones need not wait for the answer. */
export const slotsMax = 4

interface QuotaBatch {
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

export type QuotaSlots = ReturnType<typeof createQuotaSlots>

const unknownWriter = 'MM001'

export function createQuotaSlots(clock: Clock) {
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

  /** Decides the batch, or returns the earlier decision. A recall only returns that: without one there will never be any. */
  async function decide(connection: Connection, batch: NumberedBatch, timeoutMs: number, isRecall = false) {
    const { slot, sequence, day } = batch
    const sent = isRecall ? { runs: [], released: [] } : batch
    const place = [writer, slot, sequence, clock.now(), day]
    const text = await send(connection, place, sent, timeoutMs).catch(async (error) => {
      // Slots that were not used for a day are removed.
      if (sqlState(error) !== unknownWriter) throw error
      await register(connection)
      return await send(connection, place, sent, timeoutMs)
    })
    // An array as PostgreSQL writes it: `{1,40,0,0,7}`.
    const answer = JSON.parse(`[${text?.slice(1, -1) ?? ''}]`) as readonly number[]
    return answer.length === 0 ? undefined : reservationsOf(batch.runs, answer.slice(1), day)
  }

  return {
    register,
    number(slot: number, batch: QuotaBatch): NumberedBatch {
      const sequence = (sequences[slot] ?? 0) + 1
      sequences[slot] = sequence
      return { ...batch, slot, sequence, day: utcDay(clock.now()) }
    },
    decide,
  }
}

/** Parameters have no types, which PostgreSQL knows: the text is parsed for each batch, and casts took a fifth of all time. */
function callOf(name: string, parameterCount: number): string {
  const parameters = Array.from({ length: parameterCount }, (_, index) => `$${index + 1}`)
  return `select ${name}(${parameters.join(', ')})::text as answer`
}

const batchStatement = callOf('decide_quota_calls', 24)
const runStatement = textStatement('decide_quota_run', callOf('decide_quota_run', 11))

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

function columnsOf({ runs, released }: QuotaBatch) {
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

interface QuotaRun {
  readonly request: ReservationRequest
  readonly positions: number[]
}

/** Folds a batch into runs, bucket by bucket, which do not depend on one another. A busy batch is mostly one run. */
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

const numbersPerRun = 4

/** Reads for each run: calls granted, whether the key is stale, whether it counted before and is free, and what was used. */
function reservationsOf(runs: readonly QuotaRun[], answer: readonly number[], day: number) {
  const reservations: QuotaReservation[] = []
  const resetsAtMs = (day + 1) * dayMs
  for (const [index, { request, positions }] of runs.entries()) {
    const [granted = 0, stale = 0, seen = 0, usedBefore = 0] = answer.slice(index * numbersPerRun)
    const { limit, n = 1, dedupKey, address } = request
    let used = usedBefore
    let isFree = seen !== 0
    for (const [place, position] of positions.entries()) {
      const isGranted = place < granted
      const counted = isGranted && !isFree ? n : 0
      used += counted
      isFree ||= counted > 0 && (dedupKey !== undefined || address !== undefined)
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
