import { and, between, desc, eq, getTableColumns, gt, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
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
  function list(index: string, condition: (state: SQL) => SQL | undefined) {
    return all([id, anyNumber, anyText], ([afterId, limit, state], { select, indexed }) => {
      const after = select({ createdAtMs }).from(payments).where(eq(id, afterId))
      return select(columns)
        .from(indexed(payments, index))
        .where(and(condition(state), isAfter(after, afterId)))
        .orderBy(desc(createdAtMs), desc(id))
        .limit(limit)
    })
  }
  const any = list('payments_by_creation', () => undefined)
  const byState = list('payments_by_state', (wanted) => sql`${state} = ${wanted}`)
  const unclaimed = list(
    'payments_unclaimed',
    () => sql`${state} = 'settled' and ${payments.spentMicros} = 0`,
  )
  const ofPayer = all([payer, anyNumber, id], ([of, limit, afterId], { select }) => {
    const after = select({ createdAtMs }).from(payments).where(eq(id, afterId))
    const isUpToCursor = sql`${createdAtMs} <= coalesce(${after}, ${last})`
    return select(columns)
      .from(payments)
      .where(and(eq(payer, of), isUpToCursor, isAfter(after, afterId)))
      .orderBy(desc(createdAtMs), desc(id))
      .limit(limit)
  })
  const { day } = paymentDays

  return {
    /** Newest first; the cursor is the last id of the page before. */
    newest(which: PaymentFilter, limit: number, afterId = '') {
      const find = which === 'any' ? any : which === 'unclaimed' ? unclaimed : byState
      return find(afterId, limit, which)
    },
    /** Payments of a state that came after one time and before another. */
    oldest: all(
      [state, createdAtMs, createdAtMs, anyNumber],
      ([of, afterMs, beforeMs, limit], { select, indexed }) =>
        select(getTableColumns(payments))
          .from(indexed(payments, 'payments_by_state'))
          .where(and(eq(state, of), gt(createdAtMs, afterMs), lt(createdAtMs, beforeMs)))
          .orderBy(createdAtMs, id)
          .limit(limit),
    ),
    ofPayer: (payer: string, limit: number, afterId = '') => ofPayer(payer, limit, afterId),
    byHash: all([txHash, anyNumber], ([of, limit], { select }) =>
      select(columns).from(payments).where(eq(txHash, of)).limit(limit),
    ),
    purchases: all([charges.paymentId, anyNumber], ([of, limit], { select, rowNumber }) =>
      select({
        id: charges.id,
        endpoint: charges.endpoint,
        amountMicros: charges.amountMicros,
        state: charges.state,
        createdAtMs: charges.createdAtMs,
      })
        .from(charges)
        .where(eq(charges.paymentId, of))
        .orderBy(desc(rowNumber))
        .limit(limit),
    ),
    days: all([day, day], ([firstDay, lastDay], { select }) =>
      select(getTableColumns(paymentDays))
        .from(paymentDays)
        .where(between(day, firstDay, lastDay))
        .orderBy(day),
    ),
  }
}

function isAfter(cursor: SQLWrapper, afterId: SQL): SQL {
  return sql`(${createdAtMs}, ${id}) < (coalesce(${cursor}, ${last}), ${afterId})`
}
