import { insertInto, rowValues, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { DatabaseValue, Operation, Steps } from './operation.ts'
import { createPaymentLookups, type PaymentLookups } from './payment-lookups.ts'
import { type NewAuthorization, type NewTransfer, type PaymentRow, paymentColumns } from './payment-row.ts'
import {
  type ConfirmedTransfer,
  hasState,
  type PaymentTransition,
  statesBefore,
  transitionStatement,
} from './payment-transitions.ts'
import { statementsOf } from './statements.ts'
import { createTransferLogTable } from './transfer-logs.ts'

export interface PaymentTable extends PaymentLookups {
  /** Adds an authorization unless there is a payment with its nonce. Returns the row that holds now. */
  insertAuthorization(payment: NewAuthorization): Steps<PaymentRow>
  /**
   * Adds a payer's confirmed transfers in a transaction unless they are there. Returns the row that holds now; undefined
   * if one of the logs, or the whole transaction, has paid for something else. To be called within a transaction, as `settle` is.
   */
  insertTransfer(payment: NewTransfer, logIndexes: readonly number[]): Steps<PaymentRow | undefined>
  /** Spends `amountMicros` of the payment. Returns false if less is left. */
  spend(id: string, amountMicros: number): Operation<boolean>
  /** Undoes a `spend`. */
  unspend(id: string, amountMicros: number): Operation<void>
  /** Returns false, and writes nothing, if the payment has changed since the transition was decided on. */
  transition(id: string, transition: PaymentTransition): Operation<boolean>
  /**
   * Records that the money has arrived and that its logs have paid for this payment. Returns true also if that was
   * recorded before, and false if one of the logs has paid for something else.
   */
  settle(id: string, transfer: ConfirmedTransfer): Steps<boolean>
}

export function createPaymentTable(database: Database): PaymentTable {
  const { one, write, change } = statementsOf(database)
  const lookups = createPaymentLookups(database)
  const logs = createTransferLogTable(database)
  const insertRow = one<DatabaseValue[], PaymentRow>(
    `${insertInto('payments', paymentColumns)} on conflict do nothing returning ${selectList(paymentColumns)}`,
  )
  const settle = write(
    `update payments set state = 'settled', reason = null, raw_transaction = null, tx_hash = ?2,
       block_number = ?3, block_hash = ?4, block_time_ms = ?5, updated_at_ms = ?5
     where id = ?1 and ${hasState(...statesBefore.settled)}`,
  )

  function insert(payment: NewAuthorization | NewTransfer): Operation<PaymentRow | undefined> {
    return insertRow(...rowValues(paymentColumns, { spentMicros: 0, scope: 'payer', ...payment }))
  }

  return {
    ...lookups,
    *insertAuthorization(payment) {
      const row = (yield* insert(payment)) ?? (yield* lookups.byAuthorization(payment))
      if (row === undefined) throw new Error('A payment can neither be added nor found.')
      return row
    },
    *insertTransfer(payment, logIndexes) {
      const { id, chainId, txHash, payer } = payment
      const existing = yield* lookups.transfer(chainId, txHash, payer)
      if (existing !== undefined) return existing
      if (yield* lookups.isWholeTransactionPaid(chainId, txHash)) return undefined
      const moved = { chainId, txHash, logIndexes }
      if (!(yield* logs.areFree(moved, id))) return undefined
      const row = yield* insert(payment)
      yield* logs.assign(moved, id)
      return row
    },
    spend: change(
      'update payments set spent_micros = spent_micros + ?2 where id = ?1 and amount_micros - spent_micros >= ?2',
    ),
    unspend: write('update payments set spent_micros = spent_micros - ?2 where id = ?1'),
    transition(id, transition) {
      const { sql, values } = transitionStatement(id, transition)
      return change<DatabaseValue[]>(sql)(...values)
    },
    *settle(id, { txHash, blockNumber, blockHash, logIndexes, nowMs }) {
      const payment = yield* lookups.byId(id)
      if (payment === undefined) return false
      if (payment.state === 'settled') return true
      const moved = { chainId: payment.chainId, txHash, logIndexes }
      if (!(yield* logs.areFree(moved, id))) return false
      yield* logs.assign(moved, id)
      yield* settle(id, txHash, blockNumber, blockHash, nowMs)
      return true
    },
  }
}
