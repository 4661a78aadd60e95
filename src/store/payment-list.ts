import type { ChargeRow } from './charges.ts'
import { selectList } from './columns.ts'
import { type Database, lastMs } from './database.ts'
import type { DatabaseValue, Operation } from './operation.ts'
import { type PaymentRow, paymentColumns } from './payment-row.ts'
import { statementsOf } from './statements.ts'

/** Lists of payments, page by page. A page reads only the rows that it shows. */
export interface PaymentList {
  /** Newest first; the cursor is the last id of the page before. */
  newest(which: PaymentFilter, limit: number, afterId?: string): Operation<readonly ListedPayment[]>
  /** Newest first, of one wallet. */
  ofPayer(payer: string, limit: number, afterId?: string): Operation<readonly ListedPayment[]>
  byHash(txHash: string, limit: number): Operation<readonly ListedPayment[]>
  /** The charges of a payment, newest first, without the stored answers. */
  purchases(paymentId: string, limit: number): Operation<readonly ListedCharge[]>
  /** Settled payments by UTC day. */
  days(firstDay: number, lastDay: number): Operation<readonly PaymentDay[]>
}

/** A state, or `unclaimed` for settled payments that bought nothing. */
export type PaymentFilter = PaymentRow['state'] | 'any' | 'unclaimed'

export type ListedPayment = PaymentRow & {
  /** The endpoint of the call that it bought, or of one of them. */
  readonly endpoint: string | null
}

export type ListedCharge = Pick<ChargeRow, 'id' | 'endpoint' | 'amountMicros' | 'state' | 'createdAtMs'>

export interface PaymentDay {
  readonly day: number
  readonly count: number
  readonly amountMicros: number
}

const columns = `${selectList(paymentColumns)},
  (select endpoint from charges where payment_id = payments.id limit 1) as endpoint`

const afterCursor = `(created_at_ms, id) < (coalesce((select created_at_ms from payments where id = ?1), ${lastMs}), ?1)`

export function createPaymentList(database: Database): PaymentList {
  const { texts } = database
  const { all } = statementsOf(database)
  function list(condition: string, index: string) {
    return all<DatabaseValue[], ListedPayment>(
      `select ${columns} from payments${texts.indexedBy(index)} where ${condition} and ${afterCursor}
       order by created_at_ms desc, id desc limit ?2`,
    )
  }
  const any = list('true', 'payments_by_creation')
  const byState = list('state = ?3', 'payments_by_state')
  const unclaimed = list(`state = 'settled' and spent_micros = 0`, 'payments_unclaimed')
  const ofPayer = all<DatabaseValue[], ListedPayment>(
    `select ${columns} from payments where payer = ?3
       and created_at_ms <= coalesce((select created_at_ms from payments where id = ?1), ${lastMs}) and ${afterCursor}
     order by created_at_ms desc, id desc limit ?2`,
  )
  return {
    newest(which, limit, afterId = '') {
      if (which === 'any') return any(afterId, limit)
      if (which === 'unclaimed') return unclaimed(afterId, limit)
      return byState(afterId, limit, which)
    },
    ofPayer: (payer, limit, afterId = '') => ofPayer(afterId, limit, payer),
    byHash: all(`select ${columns} from payments where tx_hash = ? limit ?`),
    purchases: all(
      `select id, endpoint, amount_micros as "amountMicros", state, created_at_ms as "createdAtMs"
       from charges where payment_id = ? order by ${texts.rowNumber} desc limit ?`,
    ),
    days: all(
      'select day, count, amount_micros as "amountMicros" from payment_days where day between ? and ? order by day',
    ),
  }
}
