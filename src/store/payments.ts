import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { given, literal, preparedRow, type Queries } from './drizzle.ts'
import { payments } from './schema.ts'

export type PaymentRow = Readonly<typeof payments.$inferSelect>
export type NewPayment = Readonly<typeof payments.$inferInsert>

/** Money that reached us or was promised by a signature. Hashes, addresses and nonces are lower case. */
export interface PaymentTable {
  /** Adds the payment unless its transfer or authorization is known; returns the row that holds now. */
  insert(payment: NewPayment): PaymentRow
  byId(id: string): PaymentRow | undefined
  /** Whatever the transaction paid: one transfer, or the authorizations that it carried. */
  byTransaction(chainId: number, txHash: string): readonly PaymentRow[]
  byAuthorization(of: AuthorizationKey): PaymentRow | undefined
  byIdentifier(chainId: number, payer: string, identifier: string): PaymentRow | undefined
  /** Takes `amountMicros` off what is left. False when less is left. */
  spend(id: string, amountMicros: number): boolean
  giveBack(id: string, amountMicros: number): void
  update(id: string, change: PaymentChange): void
  /** The sum of authorizations whose money has not moved yet. */
  outstandingMicros(chainId: number, asset: string, payer: string): number
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

export type PaymentChange = Partial<Omit<NewPayment, 'id' | 'method' | 'amountMicros' | 'spentMicros'>> & {
  readonly updatedAtMs: number
}

export function createPaymentTable(queries: Queries): PaymentTable {
  const prepared = prepareQueries(queries)
  const { row, insert, spend, giveBack } = prepared

  return {
    insert(payment) {
      const [added] = insert.all(row.complete(payment))
      const kept = added ?? findTwin(payment)
      if (kept === undefined) throw new Error('A payment can neither be added nor found.')
      return kept
    },
    byId: (id) => prepared.byId.get({ id }),
    byTransaction: (chainId, txHash) => prepared.byTransaction.all({ chainId, txHash }),
    byAuthorization: (of) => prepared.byAuthorization.get({ ...of }),
    byIdentifier: (chainId, payer, identifier) => prepared.byIdentifier.get({ chainId, payer, identifier }),
    spend: (id, amountMicros) => spend.all({ id, amountMicros }).length === 1,
    giveBack: (id, amountMicros) => void giveBack.run({ id, amountMicros }),
    update(id, change) {
      queries.update(payments).set(change).where(eq(payments.id, id)).run()
    },
    outstandingMicros: (chainId, asset, payer) =>
      prepared.outstanding.get({ chainId, asset, payer })?.sum ?? 0,
    withCredit: (chainId, payer, amountMicros) => prepared.withCredit.get({ chainId, payer, amountMicros }),
    open: () => prepared.open.all(),
    openSettlerNonces: (chainId, settler, exceptId) =>
      prepared.openSettlerNonces
        .all({ chainId, settler, exceptId })
        .flatMap(({ nonce }) => (nonce === null ? [] : [nonce])),
  }

  function findTwin({ chainId, asset, payer, nonce, txHash }: NewPayment) {
    if (nonce !== undefined && nonce !== null)
      return prepared.byAuthorization.get({ chainId, asset, payer, nonce })
    return prepared.transfer.get({ chainId, txHash: txHash ?? '' })
  }
}

/** A payer waits for these: to build a query takes drizzle longer than SQLite takes to run it. */
function prepareQueries(queries: Queries) {
  const where = (...conditions: SQL[]) =>
    queries
      .select()
      .from(payments)
      .where(and(...conditions))
  const row = preparedRow(payments)
  const isIt = eq(payments.id, given('id'))
  const isIn = (...states: PaymentRow['state'][]) =>
    inArray(payments.state, sql`(${sql.join(states.map(literal), sql`, `)})`)
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
      .where(and(isOpen, isAuthorization, isOfChain, isOfAsset, isOfPayer))
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
