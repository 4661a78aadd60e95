import { rowValues } from './columns.ts'
import { type NewAuthorization, type NewTransfer, type PaymentRow, paymentColumns } from './payment-row.ts'
import { prepareStatements } from './payment-statements.ts'
import type { ConfirmedTransfer, PaymentTransition } from './payment-transitions.ts'
import type { Sqlite } from './sqlite.ts'
import { createTransferLogTable } from './transfer-logs.ts'

export interface PaymentTable {
  /** Adds an authorization unless there is a payment with its nonce. Returns the row that holds now. */
  insertAuthorization(payment: NewAuthorization): PaymentRow
  /**
   * Adds a transfer that the chain shows unless it is there; returns the row that holds now. Undefined when one of
   * its logs has paid for something else. Belongs into a transaction, as `settle` does.
   */
  insertTransfer(payment: NewTransfer, logIndexes: readonly number[]): PaymentRow | undefined
  byId(id: string): PaymentRow | undefined
  /** Whatever the transaction paid: one transfer, or the authorizations that it carried. */
  byTransaction(chainId: number, txHash: string): readonly PaymentRow[]
  byAuthorization(of: AuthorizationKey): PaymentRow | undefined
  byIdentifier(chainId: number, payer: string, identifier: string): PaymentRow | undefined
  /** Takes `amountMicros` off what is left. False when less is left. */
  spend(id: string, amountMicros: number): boolean
  /** Undoes a `spend`. */
  unspend(id: string, amountMicros: number): void
  /** False when the payment is not any more what the transition was decided on: then nothing is written. */
  transition(id: string, transition: PaymentTransition): boolean
  /**
   * Writes down that the money is here, and that its logs have paid for this. True also when that was written down
   * before. False when one of the logs has paid for something else.
   */
  settle(id: string, transfer: ConfirmedTransfer): boolean
  /** The sum of authorizations whose money has not moved yet, but for that of `exceptId`. */
  outstandingMicros(of: Omit<AuthorizationKey, 'nonce'>, exceptId: string): number
  /** The payer's oldest settled payment that has this much left. */
  withCredit(chainId: number, payer: string, amountMicros: number): PaymentRow | undefined
  /** Authorizations whose outcome is open, oldest first. */
  open(): readonly PaymentRow[]
  /** Nonces that open payments have taken, but for those of `exceptId`. */
  openSettlerNonces(chainId: number, settler: string, exceptId: string): readonly number[]
}

interface AuthorizationKey {
  readonly chainId: number
  readonly asset: string
  readonly payer: string
  readonly nonce: string
}

export function createPaymentTable(sqlite: Sqlite): PaymentTable {
  const statements = prepareStatements(sqlite)
  const logs = createTransferLogTable(sqlite)

  function insert(payment: NewAuthorization | NewTransfer): PaymentRow | undefined {
    return statements.insert.get(...rowValues(paymentColumns, { spentMicros: 0, ...payment }))
  }

  function byAuthorization({ chainId, asset, payer, nonce }: AuthorizationKey): PaymentRow | undefined {
    return statements.byAuthorization.get(chainId, asset, payer, nonce)
  }

  return {
    insertAuthorization(payment) {
      const row = insert(payment) ?? byAuthorization(payment)
      if (row === undefined) throw new Error('A payment can neither be added nor found.')
      return row
    },
    insertTransfer(payment, logIndexes) {
      const { id, chainId, txHash } = payment
      const existing = statements.transfer.get(chainId, txHash)
      if (existing !== undefined) return existing
      const moved = { chainId, txHash, logIndexes }
      if (!logs.areFree(moved, id)) return undefined
      const row = insert(payment)
      logs.assign(moved, id)
      return row
    },
    byId: (id) => statements.byId.get(id),
    byTransaction: (chainId, txHash) => statements.byTransaction.all(chainId, txHash),
    byAuthorization,
    byIdentifier: (chainId, payer, identifier) => statements.byIdentifier.get(chainId, payer, identifier),
    spend: (id, amountMicros) => Number(statements.spend.run(id, amountMicros).changes) > 0,
    unspend: (id, amountMicros) => void statements.unspend.run(id, amountMicros),
    transition: (id, transition) => {
      const { statement, values } = statements.transition(id, transition)
      return Number(statement.run(...values).changes) > 0
    },
    settle(id, { txHash, blockNumber, blockHash, logIndexes, nowMs }) {
      const payment = statements.byId.get(id)
      if (payment === undefined) return false
      if (payment.state === 'settled') return true
      const moved = { chainId: payment.chainId, txHash, logIndexes }
      if (!logs.areFree(moved, id)) return false
      logs.assign(moved, id)
      statements.settle.run(id, txHash, blockNumber, blockHash, nowMs)
      return true
    },
    outstandingMicros: ({ chainId, asset, payer }, exceptId) =>
      statements.outstanding.get(chainId, asset, payer, exceptId)?.micros ?? 0,
    withCredit: (chainId, payer, amountMicros) => statements.withCredit.get(chainId, payer, amountMicros),
    open: () => statements.open.all(),
    openSettlerNonces: (chainId, settler, exceptId) =>
      statements.openSettlerNonces.all(chainId, settler, exceptId).map(({ nonce }) => nonce),
  }
}
