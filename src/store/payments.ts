import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { given, literal, preparedRow, type Queries } from './drizzle.ts'
import { type ConfirmedTransfer, type PaymentTransition, statesBefore } from './payment-transitions.ts'
import { payments } from './schema.ts'
import { createTransferLogTable } from './transfer-logs.ts'

export type PaymentRow = Readonly<typeof payments.$inferSelect>
export type NewPayment = Readonly<typeof payments.$inferInsert>

/** Money that reached us or was promised by a signature. Hashes, addresses and nonces are lower case. */
export interface PaymentTable {
  /** Adds a promise of money unless its authorization is known; returns the row that holds now. */
  insertAuthorization(payment: NewAuthorization): PaymentRow
  /**
   * Adds a transfer that the chain shows unless it is known; returns the row that holds now. Undefined when one of
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
  unspend(id: string, amountMicros: number): void
  /** False when the payment is not any more what the step was decided on: then nothing is written. */
  transition(id: string, step: PaymentTransition): boolean
  /**
   * Writes down that the money is here, and that its logs have paid for this. True also when somebody else wrote that
   * down before. False when one of the logs has paid for something else.
   */
  settle(id: string, money: ConfirmedTransfer): boolean
  /** The sum of authorizations whose money has not moved yet, but for that of `exceptId`. */
  outstandingMicros(of: Omit<AuthorizationKey, 'nonce'>, exceptId: string): number
  /** The payer's oldest settled payment that has this much left. */
  withCredit(chainId: number, payer: string, amountMicros: number): PaymentRow | undefined
  /** Authorizations whose outcome is open, oldest first. */
  open(): readonly PaymentRow[]
  /** Nonces that open payments have taken, but for those of `exceptId`. */
  openSettlerNonces(chainId: number, settler: string, exceptId: string): readonly number[]
}

export interface AuthorizationKey {
  readonly chainId: number
  readonly asset: string
  readonly payer: string
  readonly nonce: string
}

export type NewAuthorization = NewPayment & {
  readonly method: 'authorization'
  readonly nonce: string
  readonly state: 'reserved'
}

export type NewTransfer = NewPayment & {
  readonly method: 'transfer'
  readonly txHash: string
  readonly state: 'settled'
}

export function createPaymentTable(queries: Queries): PaymentTable {
  const prepared = prepareQueries(queries)
  const { row, insert, spend, giveBack } = prepared
  const logs = createTransferLogTable(queries)

  return {
    insertAuthorization(payment) {
      const { chainId, asset, payer, nonce } = payment
      const kept =
        insert.all(row.complete(payment))[0] ?? prepared.byAuthorization.get({ chainId, asset, payer, nonce })
      if (kept === undefined) throw new Error('A payment can neither be added nor found.')
      return kept
    },
    insertTransfer(payment, logIndexes) {
      const { id, chainId, txHash } = payment
      const known = prepared.transfer.get({ chainId, txHash })
      if (known !== undefined) return known
      const moved = { chainId, txHash, logIndexes }
      if (!logs.areFree(moved, id)) return undefined
      const [added] = insert.all(row.complete(payment))
      logs.assign(moved, id)
      return added
    },
    byId: (id) => prepared.byId.get({ id }),
    byTransaction: (chainId, txHash) => prepared.byTransaction.all({ chainId, txHash }),
    byAuthorization: (of) => prepared.byAuthorization.get({ ...of }),
    byIdentifier: (chainId, payer, identifier) => prepared.byIdentifier.get({ chainId, payer, identifier }),
    spend: (id, amountMicros) => spend.all({ id, amountMicros }).length === 1,
    unspend: (id, amountMicros) => void giveBack.run({ id, amountMicros }),
    transition(id, { from, to, ifTxHash, ifBlockHash, changes, nowMs }) {
      const isAsDecided = and(
        eq(payments.id, id),
        inArray(payments.state, [...from]),
        isStill(payments.txHash, ifTxHash),
        isStill(payments.blockHash, ifBlockHash),
      )
      const change = { ...changes, state: to, updatedAtMs: nowMs }
      return queries.update(payments).set(change).where(isAsDecided).returning(onlyId).all().length === 1
    },
    settle(id, { txHash, blockNumber, blockHash, logIndexes, nowMs }) {
      const payment = prepared.byId.get({ id })
      if (payment === undefined) return false
      if (payment.state === 'settled') return true
      const moved = { chainId: payment.chainId, txHash, logIndexes }
      if (!logs.areFree(moved, id)) return false
      logs.assign(moved, id)
      const block = { blockNumber, blockHash, blockTimeMs: nowMs }
      queries
        .update(payments)
        .set({ ...block, txHash, state: 'settled', reason: null, rawTransaction: null, updatedAtMs: nowMs })
        .where(and(eq(payments.id, id), inArray(payments.state, [...statesBefore.settled])))
        .run()
      return true
    },
    outstandingMicros: ({ chainId, asset, payer }, exceptId) =>
      prepared.outstanding.get({ chainId, asset, payer, exceptId })?.sum ?? 0,
    withCredit: (chainId, payer, amountMicros) => prepared.withCredit.get({ chainId, payer, amountMicros }),
    open: () => prepared.open.all(),
    openSettlerNonces: (chainId, settler, exceptId) =>
      prepared.openSettlerNonces
        .all({ chainId, settler, exceptId })
        .flatMap(({ nonce }) => (nonce === null ? [] : [nonce])),
  }
}

function isStill(column: SQLiteColumn, value: string | null | undefined): SQL | undefined {
  if (value === undefined) return undefined
  return value === null ? isNull(column) : eq(column, value)
}

const onlyId = { id: payments.id }

/** A payer waits for these: to build a query takes drizzle longer than SQLite takes to run it. */
function prepareQueries(queries: Queries) {
  function where(...conditions: SQL[]) {
    return queries
      .select()
      .from(payments)
      .where(and(...conditions))
  }
  const row = preparedRow(payments)
  const isIt = eq(payments.id, given('id'))
  function isIn(...states: PaymentRow['state'][]) {
    return inArray(payments.state, sql`(${sql.join(states.map(literal), sql`, `)})`)
  }
  const isOpen = isIn('reserved', 'submitted')
  const isSettled = eq(payments.state, literal('settled'))
  const isAuthorization = eq(payments.method, literal('authorization'))
  const isOfChain = eq(payments.chainId, given('chainId'))
  const isOfAsset = eq(payments.asset, given('asset'))
  const isOfPayer = eq(payments.payer, given('payer'))
  const isOfTransaction = eq(payments.txHash, given('txHash'))
  const isEnough = sql`amount_micros - spent_micros >= ${given('amountMicros')}`
  return {
    row,
    insert: queries.insert(payments).values(row.values).onConflictDoNothing().returning().prepare(),
    byId: where(isIt).prepare(),
    byTransaction: where(isOfChain, isOfTransaction).prepare(),
    transfer: where(isOfChain, isOfTransaction, isNull(payments.nonce)).prepare(),
    byAuthorization: where(
      isAuthorization,
      isOfChain,
      isOfAsset,
      isOfPayer,
      eq(payments.nonce, given('nonce')),
    ).prepare(),
    byIdentifier: where(
      isOfChain,
      isOfPayer,
      eq(payments.identifier, given('identifier')),
      isIn('reserved', 'submitted', 'settled'),
    )
      .limit(1)
      .prepare(),
    spend: queries
      .update(payments)
      .set({ spentMicros: sql`spent_micros + ${given('amountMicros')}` })
      .where(and(isIt, isEnough))
      .returning({ id: payments.id })
      .prepare(),
    giveBack: queries
      .update(payments)
      .set({ spentMicros: sql`spent_micros - ${given('amountMicros')}` })
      .where(isIt)
      .prepare(),
    // Few payments are open, while a payer may have made a million: SQLite would search by payer.
    outstanding: queries
      .select({ sum: sql<number>`coalesce(sum(amount_micros), 0)` })
      .from(sql`payments indexed by payments_open`)
      .where(
        and(isOpen, isAuthorization, isOfChain, isOfAsset, isOfPayer, ne(payments.id, given('exceptId'))),
      )
      .prepare(),
    // The second condition says nothing new, but what is in the index for it.
    withCredit: where(isSettled, sql`spent_micros < amount_micros`, isEnough, isOfChain, isOfPayer)
      .orderBy(asc(payments.createdAtMs))
      .limit(1)
      .prepare(),
    open: where(isOpen).orderBy(asc(payments.createdAtMs)).prepare(),
    openSettlerNonces: queries
      .select({ nonce: payments.settlerNonce })
      .from(payments)
      .where(
        and(isOpen, isOfChain, eq(payments.settler, given('settler')), ne(payments.id, given('exceptId'))),
      )
      .prepare(),
  }
}
