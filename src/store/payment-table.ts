import { and, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { createPayerPayments } from './payer-payments.ts'
import { createPaymentKeys } from './payment-keys.ts'
import type { PaymentLookups } from './payment-lookups.ts'
import type { NewAuthorization, NewTransfer, PaymentRow } from './payment-row.ts'
import {
  type ConfirmedTransfer,
  createTransitions,
  hasState,
  type PaymentTransition,
  statesBefore,
} from './payment-transitions.ts'
import { queriesOf } from './query.ts'
import { createRepeatedPurchases } from './repeated-purchases.ts'
import { payments } from './schema.ts'
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
  const lookups = {
    ...createPaymentKeys(database),
    ...createPayerPayments(database),
    ...createRepeatedPurchases(database),
  }
  const logs = createTransferLogTable(database)
  const insertRow = queriesOf(database).insertReturning(payments)
  const { spend, unspend, settle } = createChanges(database)

  function insert(payment: NewAuthorization | NewTransfer): Operation<PaymentRow | undefined> {
    return insertRow({ scope: 'payer', ...payment })
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
    spend: (id, amount) => spend({ id, amount }),
    unspend: (id, amount) => unspend({ id, amount }),
    transition: createTransitions(database),
    *settle(id, { txHash, blockNumber, blockHash, logIndexes, nowMs }) {
      const payment = yield* lookups.byId(id)
      if (payment === undefined) return false
      if (payment.state === 'settled') return true
      const moved = { chainId: payment.chainId, txHash, logIndexes }
      if (!(yield* logs.areFree(moved, id))) return false
      yield* logs.assign(moved, id)
      yield* settle({ id, txHash, blockNumber, blockHash, nowMs })
      return true
    },
  }
}

function createChanges(database: Database) {
  const { write, change } = queriesOf(database)
  const { id, txHash, blockNumber, blockHash, blockTimeMs, amountMicros, spentMicros } = payments
  const settle = write({ id, txHash, blockNumber, blockHash, nowMs: blockTimeMs }, (of, { update }) =>
    update(payments)
      .set({
        state: sql`'settled'`,
        reason: sql`null`,
        rawTransaction: sql`null`,
        txHash: of.txHash,
        blockNumber: of.blockNumber,
        blockHash: of.blockHash,
        blockTimeMs: of.nowMs,
        updatedAtMs: of.nowMs,
      })
      .where(and(eq(id, of.id), hasState(...statesBefore.settled))),
  )
  const spend = change({ id, amount: amountMicros }, (of, { update }) =>
    update(payments)
      .set({ spentMicros: sql`${spentMicros} + ${of.amount}` })
      .where(and(eq(id, of.id), sql`${amountMicros} - ${spentMicros} >= ${of.amount}`)),
  )
  const unspend = write({ id, amount: amountMicros }, (of, { update }) =>
    update(payments)
      .set({ spentMicros: sql`${spentMicros} - ${of.amount}` })
      .where(eq(id, of.id)),
  )
  return { settle, spend, unspend }
}
