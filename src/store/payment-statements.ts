import { assignments, insertInto, selectList } from './columns.ts'
import { type PaymentRow, type PaymentState, paymentColumns } from './payment-row.ts'
import { type PaymentTransition, statesBefore } from './payment-transitions.ts'
import type { Sqlite, SqlValue, Statement } from './sqlite.ts'

const columns = selectList(paymentColumns)
const isOpen = hasState('reserved', 'submitted')

/**
 * The statements of the payment table, prepared once: a payer waits for them. States and methods are written into the
 * statements, since a bound one would hide the partial indexes from SQLite.
 */
export function prepareStatements(sqlite: Sqlite) {
  function select(condition: string) {
    return sqlite.prepare<PaymentRow>(`select ${columns} from payments where ${condition}`)
  }
  return {
    insert: sqlite.prepare<PaymentRow>(
      `${insertInto('payments', paymentColumns)} on conflict do nothing returning ${columns}`,
    ),
    byId: select('id = ?'),
    byTransaction: select('chain_id = ? and tx_hash = ?'),
    transfer: select('chain_id = ? and tx_hash = ? and nonce is null'),
    byAuthorization: select(
      `method = 'authorization' and chain_id = ? and asset = ? and payer = ? and nonce = ?`,
    ),
    byIdentifier: select(
      `chain_id = ? and payer = ? and identifier = ? and ${hasState('reserved', 'submitted', 'settled')} limit 1`,
    ),
    spend: sqlite.prepare(
      'update payments set spent_micros = spent_micros + ?2 where id = ?1 and amount_micros - spent_micros >= ?2',
    ),
    unspend: sqlite.prepare('update payments set spent_micros = spent_micros - ?2 where id = ?1'),
    transition: transitions(sqlite),
    settle: sqlite.prepare(
      `update payments set state = 'settled', reason = null, raw_transaction = null, tx_hash = ?2,
         block_number = ?3, block_hash = ?4, block_time_ms = ?5, updated_at_ms = ?5
       where id = ?1 and ${hasState(...statesBefore.settled)}`,
    ),
    // Few payments are open, while a payer may have made a million: by itself SQLite would search by payer.
    outstanding: sqlite.prepare<{ micros: number }>(
      `select coalesce(sum(amount_micros), 0) as micros from payments indexed by payments_open
       where ${isOpen} and method = 'authorization' and chain_id = ? and asset = ? and payer = ? and id <> ?`,
    ),
    // That less is spent than came in follows from the last condition: it is there for the partial index.
    withCredit: select(
      `state = 'settled' and spent_micros < amount_micros and chain_id = ?1 and payer = ?2
       and amount_micros - spent_micros >= ?3 order by created_at_ms limit 1`,
    ),
    open: select(`${isOpen} order by created_at_ms`),
    openSettlerNonces: sqlite.prepare<{ nonce: number }>(
      `select settler_nonce as nonce from payments
       where ${isOpen} and chain_id = ? and settler = ? and settler_nonce is not null and id <> ?`,
    ),
  }
}

function hasState(...states: readonly PaymentState[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(', ')})`
}

/** Transitions of one shape share a statement, and there are few shapes. */
function transitions(sqlite: Sqlite) {
  const prepared = new Map<string, Statement<unknown>>()
  return (id: string, { from, to, ifTxHash, ifBlockHash, changes, nowMs }: PaymentTransition) => {
    const change = assignments(paymentColumns, { ...changes, state: to, updatedAtMs: nowMs })
    const conditions = ['id = ?', hasState(...from)]
    const values: SqlValue[] = [...change.values, id]
    for (const [column, expected] of [
      ['tx_hash', ifTxHash],
      ['block_hash', ifBlockHash],
    ] as const) {
      if (expected === undefined) continue
      conditions.push(`${column} is not distinct from ?`)
      values.push(expected)
    }
    const sql = `update payments set ${change.sql} where ${conditions.join(' and ')}`
    const statement = prepared.get(sql) ?? sqlite.prepare(sql)
    prepared.set(sql, statement)
    return { statement, values }
  }
}
