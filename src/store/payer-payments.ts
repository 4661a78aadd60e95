import { and, desc, eq, getTableColumns, gt, isNotNull, ne, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { PaymentLookups } from './payment-lookups.ts'
import { hasState } from './payment-transitions.ts'
import { queriesOf } from './query.ts'
import { payments } from './schema.ts'

/** How many of a payer's payments are looked at for authorizations that were settled just now. */
const latestMax = 50

const columns = getTableColumns(payments)
const { id, chainId, asset, payer, createdAtMs, state, method } = columns
const { amountMicros, settler, settlerNonce } = columns
const isOpen = hasState('reserved', 'submitted')

type PayerPayments = Pick<
  PaymentLookups,
  'outstandingMicros' | 'lateSettled' | 'releasedOf' | 'open' | 'openSettlerNonces'
>

/** States and methods are written into the statements, because a bound one would hide the partial indexes from SQLite. */
export function createPayerPayments(database: Database): PayerPayments {
  return { ...createAuthorizationSums(database), ...createPaymentStates(database) }
}

function createAuthorizationSums(
  database: Database,
): Pick<PayerPayments, 'outstandingMicros' | 'lateSettled'> {
  const { all, number } = queriesOf(database)
  // Few payments are open, while a payer may have made a million: by itself SQLite would search by payer.
  const outstanding = number({ chainId, asset, payer, exceptId: id }, (of, { select, indexed }) =>
    select({ number: sql<number>`coalesce(sum(${amountMicros}), 0)` })
      .from(indexed(payments, 'payments_open'))
      .where(
        and(
          isOpen,
          sql`${method} = 'authorization'`,
          matches({ chainId, asset, payer }, of),
          ne(id, of.exceptId),
        ),
      ),
  )
  const lateSettled = all({ chainId, asset, payer }, (of, { select }) => {
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
  })
  return {
    outstandingMicros: ({ chainId, asset, payer }, exceptId) =>
      outstanding({ chainId, asset, payer, exceptId }),
    lateSettled: ({ chainId, asset, payer }) => lateSettled({ chainId, asset, payer }),
  }
}

function createPaymentStates(database: Database): Omit<PayerPayments, 'outstandingMicros' | 'lateSettled'> {
  const { all, countUpTo } = queriesOf(database)
  const releasedOf = countUpTo({ payer, sinceMs: createdAtMs }, (of, { select }) =>
    select({ createdAtMs })
      .from(payments)
      .where(and(eq(payer, of.payer), gt(createdAtMs, of.sinceMs), sql`${state} = 'released'`)),
  )
  const open = all({}, (_, { select }) => select(columns).from(payments).where(isOpen).orderBy(createdAtMs))
  const openSettlerNonces = all({ chainId, settler, exceptId: id }, (of, { select, indexed }) =>
    select({ nonce: sql<number>`${settlerNonce}` })
      .from(indexed(payments, 'payments_open'))
      .where(and(isOpen, matches({ chainId, settler }, of), isNotNull(settlerNonce), ne(id, of.exceptId))),
  )
  return {
    releasedOf: (payer, sinceMs, max) => releasedOf({ payer, sinceMs, max }),
    open: () => open({}),
    openSettlerNonces: (chainId, settler, exceptId) =>
      openSettlerNonces({ chainId, settler, exceptId }).as((rows) => rows.map(({ nonce }) => nonce)),
  }
}
