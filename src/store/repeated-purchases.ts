import { and, eq, getTableColumns, gt, gte, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { PaymentLookups } from './payment-lookups.ts'
import { hasState } from './payment-transitions.ts'
import { queriesOf } from './query.ts'
import { charges, payments } from './schema.ts'

/** How long before a time payments began that bought something after it. */
const underWayMs = 600_000

const columns = getTableColumns(payments)
const { id, chainId, asset, payer, nonce, binding, createdAtMs, state, method } = columns
const { amountMicros, spentMicros, validUntilMs } = columns
const purchase = { chainId, asset, payer, nonce, binding }
function isSamePurchase(of: { readonly [Name in keyof typeof purchase]: SQL }): SQL | undefined {
  return and(
    sql`${method} = 'authorization'`,
    matches({ chainId, asset, payer }, of),
    ne(nonce, of.nonce),
    eq(binding, of.binding),
  )
}

/** A payer's other authorizations for one request. */
export function createRepeatedPurchases(
  database: Database,
): Pick<PaymentLookups, 'pendingFor' | 'boughtFor'> {
  const pendingFor = pendingPurchases(database)
  const boughtFor = donePurchases(database)
  return {
    pendingFor: ({ chainId, asset, payer, nonce, binding }, priceMicros, endAfterMs) =>
      pendingFor({ chainId, asset, payer, nonce, binding, priceMicros, endAfterMs }),
    boughtFor: ({ chainId, asset, payer, nonce, binding }, sinceMs) =>
      boughtFor({
        chainId,
        asset,
        payer,
        nonce,
        binding,
        createdAfterMs: sinceMs - underWayMs,
        sinceMs,
      }),
  }
}

function pendingPurchases(database: Database) {
  return queriesOf(database).one(
    { ...purchase, priceMicros: amountMicros, endAfterMs: createdAtMs },
    (of, { select, indexed }) => {
      const isEnough = and(isSamePurchase(of), gte(amountMicros, of.priceMicros))
      const isDone = select({ id: charges.id })
        .from(charges)
        .where(and(eq(charges.paymentId, id), sql`${charges.state} = 'done'`))
      const open = select({ id })
        .from(indexed(payments, 'payments_open'))
        .where(
          and(
            hasState('reserved', 'submitted'),
            isEnough,
            or(isNull(validUntilMs), gte(validUntilMs, of.endAfterMs)),
            sql`not exists ${isDone}`,
          ),
        )
        .orderBy(createdAtMs)
        .limit(1)
      const unspent = select({ id })
        .from(payments)
        .where(
          and(sql`${state} = 'settled'`, lt(spentMicros, amountMicros), sql`${spentMicros} = 0`, isEnough),
        )
        .orderBy(createdAtMs)
        .limit(1)
      return select(columns).from(payments).where(sql`${id} = coalesce(${open}, ${unspent})`)
    },
  )
}

function donePurchases(database: Database) {
  return queriesOf(database).one(
    { ...purchase, createdAfterMs: createdAtMs, sinceMs: createdAtMs },
    (of, { select }) => {
      const bought = select({ id })
        .from(charges)
        .innerJoin(payments, eq(id, charges.paymentId))
        .where(
          and(
            isSamePurchase(of),
            sql`${binding} is not null`,
            gte(createdAtMs, of.createdAfterMs),
            sql`${charges.slot} = 'call:' || ${id}`,
            or(
              sql`${charges.state} = 'reserved'`,
              and(sql`${charges.state} = 'done'`, gt(charges.doneAtMs, of.sinceMs)),
            ),
          ),
        )
        .orderBy(createdAtMs)
        .limit(1)
      return select(columns).from(payments).where(sql`${id} = ${bought}`)
    },
  )
}
