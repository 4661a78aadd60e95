import { type Columns, columnsOf, type NewRow, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

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
  /** Throws if another charge uses the slot. */
  insert(charge: NewRow<ChargeRow>): Operation<void>
  byId(id: string): Operation<ChargeRow | undefined>
  /** The charge that uses the slot now. */
  bySlot(slot: string): Operation<ChargeRow | undefined>
  /** Without the stored answers, which may be large. Oldest first. */
  byPayment(paymentId: string): Operation<readonly ChargeSummary[]>
  /** Whether the payment bought something, or is about to. */
  hasAny(paymentId: string): Operation<boolean>
  /** Stores the answer. Returns false if the charge is no longer reserved. */
  finish(id: string, answer: StoredAnswer, nowMs: number): Operation<boolean>
  /** Returns false if the charge is no longer reserved. */
  release(id: string): Operation<boolean>
  /** Reserves it again. Returns false if it is not released. Throws if another charge uses the slot. */
  regain(id: string): Operation<boolean>
  /** Reservations, in the order in which their leases end. */
  reserved(): Operation<readonly ChargeRow[]>
  /** Removes at most `limit` stored answers from before `beforeMs`, and returns how many. */
  forgetAnswers(beforeMs: number, limit: number): Operation<number>
}

export interface StoredAnswer {
  readonly head: string
  readonly body: Uint8Array
}

const summaryColumns: Columns<ChargeSummary> = {
  ...columnsOf('id paymentId slot request endpoint amountMicros state leaseUntilMs createdAtMs doneAtMs'),
  leaseOwner: 'holder',
}

export const chargeColumns: Columns<ChargeRow> = {
  ...summaryColumns,
  ...columnsOf('responseHead responseBody'),
}

export function createChargeTable(database: Database): ChargeTable {
  const { one, all, exists, run, change, insert } = statementsOf(database)
  const select = `select ${selectList(chargeColumns)} from charges where`
  const finish = change(
    `update charges set state = 'done', done_at_ms = ?, response_head = ?, response_body = ?
     where id = ? and state = 'reserved'`,
  )
  // States are written into the statements: a bound one would hide the partial indexes from SQLite.
  return {
    insert: insert('charges', chargeColumns),
    byId: one(`${select} id = ?`),
    bySlot: one(`${select} slot = ? and state <> 'released'`),
    byPayment: all(
      `select ${selectList(summaryColumns)} from charges where payment_id = ? order by created_at_ms`,
    ),
    hasAny: exists(`select 1 from charges where payment_id = ? and state <> 'released' limit 1`),
    finish: (id, { head, body }, nowMs) => finish(nowMs, head, body, id),
    release: change(`update charges set state = 'released' where id = ? and state = 'reserved'`),
    regain: change(`update charges set state = 'reserved' where id = ? and state = 'released'`),
    reserved: all(`${select} state = 'reserved' order by lease_until_ms`),
    forgetAnswers: run(
      `update charges set response_head = null, response_body = null where id in
       (select id from charges where done_at_ms < ? and response_head is not null limit ?)`,
    ),
  }
}
