import { type Columns, insertInto, type NewRow, rowValues, selectList } from './columns.ts'
import type { Sqlite } from './sqlite.ts'

/** What a payment bought. */
export interface ChargeRow {
  readonly id: string
  readonly paymentId: string
  /** The idempotency slot: what must not be used twice, such as a payment's one call, one proof, one signed-in nonce. */
  readonly slot: string
  /** SHA-256 of method and absolute URL. */
  readonly request: string
  readonly endpoint: string
  readonly amountMicros: number
  readonly state: 'reserved' | 'done' | 'released'
  /** The process that holds the reservation, until the lease ends. */
  readonly leaseOwner: string
  readonly leaseUntilMs: number
  readonly createdAtMs: number
  readonly doneAtMs: number | null
  /** The answer, kept for the replay window: status and headers as JSON, then the bytes. */
  readonly responseHead: string | null
  readonly responseBody: Uint8Array | null
}

export type ChargeSummary = Omit<ChargeRow, 'responseHead' | 'responseBody'>

export interface ChargeTable {
  /** Fails when another charge uses the slot. */
  insert(charge: NewRow<ChargeRow>): void
  byId(id: string): ChargeRow | undefined
  /** The charge that uses the slot now. */
  bySlot(slot: string): ChargeRow | undefined
  /** Without the stored answers, which may be large. Oldest first. */
  byPayment(paymentId: string): readonly ChargeSummary[]
  /** Whether the payment bought something, or is about to. */
  hasAny(paymentId: string): boolean
  /** Keeps the answer. False when the charge is not reserved any more. */
  finish(id: string, answer: StoredAnswer, nowMs: number): boolean
  /** False when the charge is not reserved any more. */
  release(id: string): boolean
  /** Reservations, those whose lease ends first at the front. */
  reserved(): readonly ChargeRow[]
  /** Forgets at most `limit` answers from before `beforeMs`, and returns how many. */
  forgetAnswers(beforeMs: number, limit: number): number
}

export interface StoredAnswer {
  readonly head: string
  readonly body: Uint8Array
}

const summaryColumns: Columns<ChargeSummary> = {
  id: 'id',
  paymentId: 'payment_id',
  slot: 'slot',
  request: 'request',
  endpoint: 'endpoint',
  amountMicros: 'amount_micros',
  state: 'state',
  leaseOwner: 'holder',
  leaseUntilMs: 'lease_until_ms',
  createdAtMs: 'created_at_ms',
  doneAtMs: 'done_at_ms',
}

export const chargeColumns: Columns<ChargeRow> = {
  ...summaryColumns,
  responseHead: 'response_head',
  responseBody: 'response_body',
}

export function createChargeTable(sqlite: Sqlite): ChargeTable {
  function select(condition: string) {
    return sqlite.prepare<ChargeRow>(`select ${selectList(chargeColumns)} from charges where ${condition}`)
  }
  // States are written into the statements: a bound one would hide the partial indexes from SQLite.
  const insert = sqlite.prepare(insertInto('charges', chargeColumns))
  const byId = select('id = ?')
  const bySlot = select(`slot = ? and state <> 'released'`)
  const reserved = select(`state = 'reserved' order by lease_until_ms`)
  const byPayment = sqlite.prepare<ChargeSummary>(
    `select ${selectList(summaryColumns)} from charges where payment_id = ? order by created_at_ms`,
  )
  const any = sqlite.prepare(`select 1 from charges where payment_id = ? and state <> 'released' limit 1`)
  const finish = sqlite.prepare(
    `update charges set state = 'done', done_at_ms = ?, response_head = ?, response_body = ?
     where id = ? and state = 'reserved'`,
  )
  const release = sqlite.prepare(`update charges set state = 'released' where id = ? and state = 'reserved'`)
  const forgetAnswers = sqlite.prepare(
    `update charges set response_head = null, response_body = null where id in
     (select id from charges where done_at_ms < ? and response_head is not null limit ?)`,
  )
  return {
    insert: (charge) => void insert.run(...rowValues(chargeColumns, charge)),
    byId: (id) => byId.get(id),
    bySlot: (slot) => bySlot.get(slot),
    byPayment: (paymentId) => byPayment.all(paymentId),
    hasAny: (paymentId) => any.get(paymentId) !== undefined,
    finish: (id, { head, body }, nowMs) => Number(finish.run(nowMs, head, body, id).changes) > 0,
    release: (id) => Number(release.run(id).changes) > 0,
    reserved: () => reserved.all(),
    forgetAnswers: (beforeMs, limit) => Number(forgetAnswers.run(beforeMs, limit).changes),
  }
}
