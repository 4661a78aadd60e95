import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Operation, Steps } from './database.ts'
import {
  type ConfirmedTransfer,
  createTransitions,
  hasState,
  type NewAuthorization,
  type NewTransfer,
  type PaymentRow,
  statesBefore,
} from './payment-states.ts'
import { matches, queriesOf } from './query.ts'
import { charges, payments, transferLogs } from './schema.ts'

type AuthorizationKey = Readonly<Pick<PaymentRow, 'chainId' | 'asset' | 'payer'>> & {
  readonly nonce: string
}
type PurchaseKey = AuthorizationKey & Pick<PaymentRow, 'binding'>

// States and methods are written into the statements, because a bound one would hide the partial indexes from SQLite.
const columns = getTableColumns(payments)
const { id, chainId, asset, payer, nonce, txHash, identifier, binding, createdAtMs, state, method } = columns
const { amountMicros, spentMicros, validUntilMs, settler, settlerNonce } = columns
const isOpen = hasState('reserved', 'submitted')
const isTransfer = sql`${method} = 'transfer'`
const isAuthorization = sql`${method} = 'authorization'`
const isSettled = sql`${state} = 'settled'`

export function createPaymentTable(database: Database) {
  const lookups = {
    ...createSinglePayments(database),
    ...createPayerPayments(database),
    ...createRepeatedPurchases(database),
  }
  const logs = createTransferLogs(database)
  const insertRow = queriesOf(database).insertReturning(payments)
  const { spend, unspend, settle } = createChanges(database)

  function insert(payment: NewAuthorization | NewTransfer): Operation<PaymentRow | undefined> {
    return insertRow({ scope: 'payer', ...payment })
  }

  return {
    ...lookups,
    /** Adds an authorization unless there is a payment with its nonce. Returns the row that holds now. */
    *insertAuthorization(payment: NewAuthorization): Steps<PaymentRow> {
      const row = (yield* insert(payment)) ?? (yield* lookups.byAuthorization(payment))
      if (row === undefined) throw new Error('A payment can neither be added nor found.')
      return row
    },
    /**
     * Adds a payer's transfers in a transaction unless they are there. Returns the row that holds now; undefined if
     * one of the logs, or the whole transaction, has paid for something else. Belongs into a transaction, as `settle`
     * does.
     */
    *insertTransfer(payment: NewTransfer, logIndexes: readonly number[]): Steps<PaymentRow | undefined> {
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
    spend,
    unspend,
    /** Returns false, and writes nothing, if the payment has changed since the transition was decided on. */
    transition: createTransitions(database),
    /** Records the money with its logs. True also if it was recorded; false if a log has paid for something else. */
    *settle(id: string, transfer: ConfirmedTransfer): Steps<boolean> {
      const { txHash, blockNumber, blockHash, logIndexes, nowMs } = transfer
      const payment = yield* lookups.byId(id)
      if (payment === undefined) return false
      if (payment.state === 'settled') return true
      const moved = { chainId: payment.chainId, txHash, logIndexes }
      if (!(yield* logs.areFree(moved, id))) return false
      yield* logs.assign(moved, id)
      yield* settle({ id, txHash, blockNumber, blockHash, blockTimeMs: nowMs, updatedAtMs: nowMs })
      return true
    },
  }
}

function createChanges(database: Database) {
  const { write, change } = queriesOf(database)
  const { blockNumber, blockHash, blockTimeMs, updatedAtMs } = payments
  const settled = { txHash, blockNumber, blockHash, blockTimeMs, updatedAtMs }
  return {
    settle: write({ id, ...settled }, ({ id: of, ...money }, { update }) =>
      update(payments)
        .set({ state: sql`'settled'`, reason: sql`null`, rawTransaction: sql`null`, ...money })
        .where(and(eq(id, of), hasState(...statesBefore.settled))),
    ),
    spend: change([id, amountMicros], ([of, amount], { update }) =>
      update(payments)
        .set({ spentMicros: sql`${spentMicros} + ${amount}` })
        .where(and(eq(id, of), sql`${amountMicros} - ${spentMicros} >= ${amount}`)),
    ),
    unspend: write([id, amountMicros], ([of, amount], { update }) =>
      update(payments)
        .set({ spentMicros: sql`${spentMicros} - ${amount}` })
        .where(eq(id, of)),
    ),
  }
}

function createSinglePayments(database: Database) {
  const { one, all, exists, rowBy } = queriesOf(database)
  return {
    byId: rowBy(payments, id),
    byAuthorization: one({ chainId, asset, payer, nonce }, (of, { select }) =>
      select(columns)
        .from(payments)
        .where(and(isAuthorization, matches({ chainId, asset, payer, nonce }, of))),
    ),
    /** The payment with the payer's identifier: one that was sent or has settled, else the latest that is reserved. */
    byIdentifier: one([chainId, payer, identifier], (of, { select }) =>
      select(columns)
        .from(payments)
        .where(and(matches([chainId, payer, identifier], of), hasState('reserved', 'submitted', 'settled')))
        .orderBy(sql`${state} = 'reserved'`, desc(createdAtMs))
        .limit(1),
    ),
    /** The payments that the transaction made, oldest first: those by transfer and the authorizations that it carried. */
    byTransaction: all([chainId, txHash], (of, { select }) =>
      select(columns)
        .from(payments)
        .where(matches([chainId, txHash], of))
        .orderBy(createdAtMs, id),
    ),
    transfer: one([chainId, txHash, payer], (of, { select }) =>
      select(columns)
        .from(payments)
        .where(and(isTransfer, matches([chainId, txHash, payer], of))),
    ),
    isWholeTransactionPaid: exists([chainId, txHash], (of, { select }) =>
      select({ id })
        .from(payments)
        .where(and(isTransfer, matches([chainId, txHash], of), sql`${payments.scope} = 'transaction'`))
        .limit(1),
    ),
  }
}

/** So many of a payer's payments are looked at for authorizations that were settled just now. */
const latestMax = 50

function createPayerPayments(database: Database) {
  const { all, number, countUpTo } = queriesOf(database)
  // Few payments are open, while a payer may have made a million: by itself SQLite would search by payer.
  const outstanding = number({ chainId, asset, payer, exceptId: id }, (of, { select, indexed }) =>
    select({ number: sql<number>`coalesce(sum(${amountMicros}), 0)` })
      .from(indexed(payments, 'payments_open'))
      .where(and(isOpen, isAuthorization, matches({ chainId, asset, payer }, of), ne(id, of.exceptId))),
  )
  const openSettlerNonces = all([chainId, settler, id], (of, { select, indexed }) => {
    const isOther = and(matches([chainId, settler], of), ne(id, of[2]))
    return select({ nonce: sql<number>`${settlerNonce}` })
      .from(indexed(payments, 'payments_open'))
      .where(and(isOpen, isOther, sql`${settlerNonce} is not null`))
  })

  return {
    outstandingMicros: (of: Omit<AuthorizationKey, 'nonce'>, exceptId: string) =>
      outstanding({ ...of, exceptId }),
    lateSettled: all({ chainId, asset, payer }, (of, { select }) => {
      const latest = select({ id, amountMicros, state, method, chainId, asset })
        .from(payments)
        .where(eq(payer, of.payer))
        .orderBy(desc(createdAtMs))
        .limit(latestMax)
        .as('latest')
      return select({ id: latest.id, amountMicros: latest.amountMicros })
        .from(latest)
        .where(
          and(
            sql`${latest.state} = 'settled'`,
            sql`${latest.method} = 'authorization'`,
            matches({ chainId: latest.chainId, asset: latest.asset }, of),
          ),
        )
    }),
    releasedOf: countUpTo([payer, createdAtMs], ([of, sinceMs], { select }) =>
      select({ createdAtMs })
        .from(payments)
        .where(and(eq(payer, of), gt(createdAtMs, sinceMs), sql`${state} = 'released'`)),
    ),
    open: all([], (_, { select }) => select(columns).from(payments).where(isOpen).orderBy(createdAtMs)),
    openSettlerNonces: (chainId: number, settler: string, exceptId: string) =>
      openSettlerNonces(chainId, settler, exceptId).as((rows) => rows.map(({ nonce }) => nonce)),
  }
}

/** Payments that bought something after a time began at most so long before it. */
const underWayMs = 600_000

const purchase = { chainId, asset, payer, nonce, binding }
function isSamePurchase(of: { readonly [Name in keyof typeof purchase]: SQL }): SQL | undefined {
  return and(
    isAuthorization,
    matches({ chainId, asset, payer }, of),
    ne(nonce, of.nonce),
    eq(binding, of.binding),
  )
}

function createRepeatedPurchases(database: Database) {
  const { one } = queriesOf(database)
  const pending = one(
    { ...purchase, priceMicros: amountMicros, endAfterMs: createdAtMs },
    (of, { select, indexed }) => {
      const isEnough = and(isSamePurchase(of), gte(amountMicros, of.priceMicros))
      const isDone = select({ id: charges.id })
        .from(charges)
        .where(and(eq(charges.paymentId, id), sql`${charges.state} = 'done'`))
      const isAwaited = or(isNull(validUntilMs), gte(validUntilMs, of.endAfterMs))
      const open = select({ id })
        .from(indexed(payments, 'payments_open'))
        .where(and(isOpen, isEnough, isAwaited, sql`not exists ${isDone}`))
        .orderBy(createdAtMs)
        .limit(1)
      const unspent = select({ id })
        .from(payments)
        .where(and(isSettled, lt(spentMicros, amountMicros), sql`${spentMicros} = 0`, isEnough))
        .orderBy(createdAtMs)
        .limit(1)
      return select(columns).from(payments).where(sql`${id} = coalesce(${open}, ${unspent})`)
    },
  )
  const bought = one({ ...purchase, createdAfterMs: createdAtMs, sinceMs: createdAtMs }, (of, { select }) => {
    const isDone = and(sql`${charges.state} = 'done'`, gt(charges.doneAtMs, of.sinceMs))
    const found = select({ id })
      .from(charges)
      .innerJoin(payments, eq(id, charges.paymentId))
      .where(
        and(
          isSamePurchase(of),
          sql`${binding} is not null`,
          gte(createdAtMs, of.createdAfterMs),
          sql`${charges.slot} = 'call:' || ${id}`,
          or(sql`${charges.state} = 'reserved'`, isDone),
        ),
      )
      .orderBy(createdAtMs)
      .limit(1)
    return select(columns).from(payments).where(sql`${id} = ${found}`)
  })
  return {
    /**
     * The payer's oldest other authorization for the request whose money may be on its way, or is here and has bought
     * nothing. One that ended before `endAfterMs` is no longer waited for.
     */
    pendingFor: (of: PurchaseKey, priceMicros: number, endAfterMs: number) =>
      pending({ ...of, priceMicros, endAfterMs }),
    /** The payer's other authorization that bought the request since, or is about to; made ten minutes before at most. */
    boughtFor: (of: PurchaseKey, sinceMs: number) =>
      bought({ ...of, createdAfterMs: sinceMs - underWayMs, sinceMs }),
  }
}

interface MovedLogs {
  readonly chainId: number
  readonly txHash: string
  /** Counted from the transaction's first log: the block's own count changes when it is mined again elsewhere. */
  readonly logIndexes: readonly number[]
}

function createTransferLogs(database: Database) {
  const { rowBy, write, insert } = queriesOf(database)
  const { chainId, txHash, logIndex, paymentId } = transferLogs
  const ownerOf = rowBy(transferLogs, chainId, txHash, logIndex)
  const add = insert(transferLogs)
  const drop = write([paymentId], ([of], { remove }) => remove(transferLogs).where(eq(paymentId, of)))
  return {
    *areFree({ chainId, txHash, logIndexes }: MovedLogs, paymentId: string): Steps<boolean> {
      for (const logIndex of logIndexes) {
        const owner = (yield* ownerOf(chainId, txHash, logIndex))?.paymentId ?? paymentId
        if (owner !== paymentId) return false
      }
      return true
    },
    /** Makes the logs a payment's own, in place of those that it had. Throws if one has paid for something else. */
    *assign({ chainId, txHash, logIndexes }: MovedLogs, paymentId: string): Steps<void> {
      yield* drop(paymentId)
      for (const logIndex of logIndexes) yield* add({ chainId, txHash, logIndex, paymentId })
    },
  }
}
