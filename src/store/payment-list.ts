import {
  and,
  between,
  desc,
  eq,
  getTableColumns,
  gt,
  lt,
  lte,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { ChargeRow } from './charges.ts'
import { type Database, lastMs } from './database.ts'
import type { PaymentRow } from './payment-states.ts'
import { anyNumber, anyText, queriesOf } from './query.ts'
import { charges, paymentDays, payments } from './schema.ts'

/** A state, or `unclaimed` for settled payments that bought nothing. */
export type PaymentFilter = PaymentRow['state'] | 'any' | 'unclaimed'

export type ListedPayment = PaymentRow & {
  /** The endpoint of the call that it bought, or of one of them. */
  readonly endpoint: string | null
}

export type ListedCharge = Pick<ChargeRow, 'id' | 'endpoint' | 'amountMicros' | 'state' | 'createdAtMs'>

const { id, state, payer, txHash, createdAtMs } = payments
const last = sql.raw(String(lastMs))
const columns = {
  ...getTableColumns(payments),
  endpoint: sql<
    string | null
  >`(select ${charges.endpoint} from ${charges} where ${charges.paymentId} = ${id} limit 1)`,
}

export function createPaymentList(database: Database) {
  const { all } = queriesOf(database)
  const cursor = { afterId: id, limit: anyNumber }

  function list(index: string, condition: (state: SQL) => SQL | undefined) {
    return all({ ...cursor, state: anyText }, (of, { select, indexed }) => {
      const after = select({ createdAtMs }).from(payments).where(eq(id, of.afterId))
      return select(columns)
        .from(indexed(payments, index))
        .where(and(condition(of.state), isAfter(after, of.afterId)))
        .orderBy(desc(createdAtMs), desc(id))
        .limit(of.limit)
    })
  }
  const any = list('payments_by_creation', () => undefined)
  const byState = list('payments_by_state', (wanted) => sql`${state} = ${wanted}`)
  const unclaimed = list(
    'payments_unclaimed',
    () => sql`${state} = 'settled' and ${payments.spentMicros} = 0`,
  )
  const ofPayer = all({ ...cursor, payer }, (of, { select }) => {
    const after = select({ createdAtMs }).from(payments).where(eq(id, of.afterId))
    return select(columns)
      .from(payments)
      .where(
        and(
          eq(payer, of.payer),
          lte(createdAtMs, sql`coalesce(${after}, ${last})`),
          isAfter(after, of.afterId),
        ),
      )
      .orderBy(desc(createdAtMs), desc(id))
      .limit(of.limit)
  })
  const byHash = all({ txHash, limit: anyNumber }, (of, { select }) =>
    select(columns).from(payments).where(eq(txHash, of.txHash)).limit(of.limit),
  )
  const purchases = all({ paymentId: charges.paymentId, limit: anyNumber }, (of, { select, rowNumber }) =>
    select({
      id: charges.id,
      endpoint: charges.endpoint,
      amountMicros: charges.amountMicros,
      state: charges.state,
      createdAtMs: charges.createdAtMs,
    })
      .from(charges)
      .where(eq(charges.paymentId, of.paymentId))
      .orderBy(desc(rowNumber))
      .limit(of.limit),
  )
  const { day } = paymentDays
  const days = all({ firstDay: day, lastDay: day }, (of, { select }) =>
    select(getTableColumns(paymentDays))
      .from(paymentDays)
      .where(between(day, of.firstDay, of.lastDay))
      .orderBy(day),
  )
  const oldest = all(
    { state, afterMs: createdAtMs, beforeMs: createdAtMs, limit: anyNumber },
    (of, { select, indexed }) =>
      select(getTableColumns(payments))
        .from(indexed(payments, 'payments_by_state'))
        .where(and(eq(state, of.state), gt(createdAtMs, of.afterMs), lt(createdAtMs, of.beforeMs)))
        .orderBy(createdAtMs, id)
        .limit(of.limit),
  )
  return {
    /** Newest first; the cursor is the last id of the page before. */
    newest(which: PaymentFilter, limit: number, afterId = '') {
      const from = { afterId, limit, state: which }
      return which === 'any' ? any(from) : which === 'unclaimed' ? unclaimed(from) : byState(from)
    },
    oldest: (state: PaymentRow['state'], span: Readonly<Record<'afterMs' | 'beforeMs' | 'limit', number>>) =>
      oldest({ state, ...span }),
    ofPayer: (payer: string, limit: number, afterId = '') => ofPayer({ payer, afterId, limit }),
    byHash: (txHash: string, limit: number) => byHash({ txHash, limit }),
    purchases: (paymentId: string, limit: number) => purchases({ paymentId, limit }),
    days: (firstDay: number, lastDay: number) => days({ firstDay, lastDay }),
  }
}

function isAfter(cursor: SQLWrapper, afterId: SQL): SQL {
  return sql`(${createdAtMs}, ${id}) < (coalesce(${cursor}, ${last}), ${afterId})`
}
