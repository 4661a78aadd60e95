import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { PaymentLookups } from './payment-lookups.ts'
import { hasState } from './payment-transitions.ts'
import { queriesOf } from './query.ts'
import { payments } from './schema.ts'

const columns = getTableColumns(payments)
const { id, chainId, asset, payer, nonce, txHash, identifier, createdAtMs, method, state } = columns

type PaymentKeys = Pick<
  PaymentLookups,
  'byId' | 'byTransaction' | 'transfer' | 'isWholeTransactionPaid' | 'byAuthorization' | 'byIdentifier'
>

export function createPaymentKeys(database: Database): PaymentKeys {
  return { ...createSinglePayments(database), ...createTransactionPayments(database) }
}

type TransactionPayments = Pick<PaymentKeys, 'byTransaction' | 'transfer' | 'isWholeTransactionPaid'>

/** Methods are written into the statements, because a bound one would hide the partial indexes from SQLite. */
function createTransactionPayments(database: Database): TransactionPayments {
  const { one, all, exists } = queriesOf(database)
  const isTransfer = sql`${method} = 'transfer'`
  const byTransaction = all({ chainId, txHash }, (of, { select }) =>
    select(columns).from(payments).where(matches({ chainId, txHash }, of)).orderBy(createdAtMs, id),
  )
  const transfer = one({ chainId, txHash, payer }, (of, { select }) =>
    select(columns)
      .from(payments)
      .where(and(isTransfer, matches({ chainId, txHash, payer }, of))),
  )
  const isWholeTransactionPaid = exists({ chainId, txHash }, (of, { select }) =>
    select({ id })
      .from(payments)
      .where(and(isTransfer, matches({ chainId, txHash }, of), sql`${payments.scope} = 'transaction'`))
      .limit(1),
  )
  return {
    byTransaction: (chainId, txHash) => byTransaction({ chainId, txHash }),
    transfer: (chainId, txHash, payer) => transfer({ chainId, txHash, payer }),
    isWholeTransactionPaid: (chainId, txHash) => isWholeTransactionPaid({ chainId, txHash }),
  }
}

function createSinglePayments(database: Database): Omit<PaymentKeys, keyof TransactionPayments> {
  const { one } = queriesOf(database)
  const byId = one({ id }, (of, { select }) => select(columns).from(payments).where(eq(id, of.id)))
  const byAuthorization = one({ chainId, asset, payer, nonce }, (of, { select }) =>
    select(columns)
      .from(payments)
      .where(and(sql`${method} = 'authorization'`, matches({ chainId, asset, payer, nonce }, of))),
  )
  const byIdentifier = one({ chainId, payer, identifier }, (of, { select }) =>
    select(columns)
      .from(payments)
      .where(and(matches({ chainId, payer, identifier }, of), hasState('reserved', 'submitted', 'settled')))
      .orderBy(sql`${state} = 'reserved'`, desc(createdAtMs))
      .limit(1),
  )
  return {
    byId: (id) => byId({ id }),
    byAuthorization: ({ chainId, asset, payer, nonce }) => byAuthorization({ chainId, asset, payer, nonce }),
    byIdentifier: (chainId, payer, identifier) => byIdentifier({ chainId, payer, identifier }),
  }
}
