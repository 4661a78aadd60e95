import { and, asc, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Queries } from './drizzle.ts'
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
  /** Newest first; `before` is the last row of the page before. */
  page(limit: number, before?: { readonly createdAtMs: number; readonly id: string }): readonly PaymentRow[]
  /** How many payments bought something. */
  count(): number
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
  const one = (condition: ReturnType<typeof and>) =>
    queries.select().from(payments).where(condition).limit(1).get()
  const ofPayer = (chainId: number, payer: string) =>
    and(eq(payments.chainId, chainId), eq(payments.payer, payer))
  const byAuthorization = ({ chainId, asset, payer, nonce }: AuthorizationKey) =>
    one(
      and(
        eq(payments.chainId, chainId),
        eq(payments.asset, asset),
        eq(payments.payer, payer),
        eq(payments.nonce, nonce),
        eq(payments.method, 'authorization'),
      ),
    )

  return {
    insert(payment) {
      const [added] = queries.insert(payments).values(payment).onConflictDoNothing().returning().all()
      const row = added ?? findTwin(payment)
      if (row === undefined) throw new Error('A payment can neither be added nor found.')
      return row
    },
    byId: (id) => one(eq(payments.id, id)),
    byTransaction: (chainId, txHash) =>
      queries
        .select()
        .from(payments)
        .where(and(eq(payments.txHash, txHash), eq(payments.chainId, chainId)))
        .all(),
    byAuthorization,
    byIdentifier: (chainId, payer, identifier) =>
      one(
        and(
          ofPayer(chainId, payer),
          eq(payments.identifier, identifier),
          inArray(payments.state, ['reserved', 'submitted', 'settled']),
        ),
      ),
    spend: (id, amountMicros) =>
      queries
        .update(payments)
        .set({ spentMicros: sql`spent_micros + ${amountMicros}` })
        .where(and(eq(payments.id, id), sql`amount_micros - spent_micros >= ${amountMicros}`))
        .returning({ id: payments.id })
        .all().length === 1,
    giveBack(id, amountMicros) {
      queries
        .update(payments)
        .set({ spentMicros: sql`spent_micros - ${amountMicros}` })
        .where(eq(payments.id, id))
        .run()
    },
    update(id, change) {
      queries.update(payments).set(change).where(eq(payments.id, id)).run()
    },
    outstandingMicros: (chainId, asset, payer) =>
      queries
        .select({ sum: sql<number>`coalesce(sum(amount_micros), 0)` })
        .from(payments)
        .where(
          and(
            ofPayer(chainId, payer),
            eq(payments.asset, asset),
            eq(payments.method, 'authorization'),
            inArray(payments.state, ['reserved', 'submitted']),
          ),
        )
        .get()?.sum ?? 0,
    withCredit: (chainId, payer, amountMicros) =>
      queries
        .select()
        .from(payments)
        .where(
          and(
            ofPayer(chainId, payer),
            eq(payments.state, 'settled'),
            sql`amount_micros - spent_micros >= ${amountMicros}`,
          ),
        )
        .orderBy(asc(payments.createdAtMs))
        .limit(1)
        .get(),
    open: () =>
      queries
        .select()
        .from(payments)
        .where(inArray(payments.state, ['reserved', 'submitted']))
        .orderBy(asc(payments.createdAtMs))
        .all(),
    openSettlerNonces: (chainId, settler, exceptId) =>
      queries
        .select({ nonce: payments.settlerNonce })
        .from(payments)
        .where(
          and(
            inArray(payments.state, ['reserved', 'submitted']),
            eq(payments.chainId, chainId),
            eq(payments.settler, settler),
            ne(payments.id, exceptId),
          ),
        )
        .all()
        .flatMap(({ nonce }) => (nonce === null ? [] : [nonce])),
    page: (limit, before) =>
      queries
        .select()
        .from(payments)
        .where(
          before &&
            or(
              lt(payments.createdAtMs, before.createdAtMs),
              and(eq(payments.createdAtMs, before.createdAtMs), lt(payments.id, before.id)),
            ),
        )
        .orderBy(desc(payments.createdAtMs), desc(payments.id))
        .limit(limit)
        .all(),
    count: () =>
      queries
        .select({ count: sql<number>`count(*)` })
        .from(payments)
        .where(and(eq(payments.state, 'settled'), ne(payments.spentMicros, 0)))
        .get()?.count ?? 0,
  }

  function findTwin({ chainId, asset, payer, nonce, txHash }: NewPayment) {
    if (nonce !== undefined && nonce !== null) return byAuthorization({ chainId, asset, payer, nonce })
    return one(and(eq(payments.chainId, chainId), eq(payments.txHash, txHash ?? ''), isNull(payments.nonce)))
  }
}
