import { selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { type PaymentRow, paymentColumns } from './payment-row.ts'
import { hasState } from './payment-transitions.ts'
import { statementsOf } from './statements.ts'

export interface PaymentLookups {
  byId(id: string): Operation<PaymentRow | undefined>
  /** The payments that the transaction made, oldest first: those by transfer and the authorizations that it carried. */
  byTransaction(chainId: number, txHash: string): Operation<readonly PaymentRow[]>
  /** The payment that this payer's transfers in the transaction are. */
  transfer(chainId: number, txHash: string, payer: string): Operation<PaymentRow | undefined>
  /** Whether a payment covers the transfers of all payers in the transaction. */
  isWholeTransactionPaid(chainId: number, txHash: string): Operation<boolean>
  byAuthorization(of: AuthorizationKey): Operation<PaymentRow | undefined>
  /** The payment with the payer's identifier: one that was sent or has settled, else the latest that is reserved. */
  byIdentifier(chainId: number, payer: string, identifier: string): Operation<PaymentRow | undefined>
  /** The sum of the payer's authorizations whose money has not moved yet, without that of `exceptId`. */
  outstandingMicros(of: Omit<AuthorizationKey, 'nonce'>, exceptId: string): Operation<number>
  /** The settled authorizations among the payer's latest payments. */
  lateSettled(of: Omit<AuthorizationKey, 'nonce'>): Operation<readonly SettledAmount[]>
  /**
   * The payer's oldest other authorization for the same request whose money may be on its way, or is here and has bought
   * nothing. One that ended before `endAfterMs` is no longer waited for.
   */
  pendingFor(
    of: AuthorizationKey & Pick<PaymentRow, 'binding'>,
    priceMicros: number,
    endAfterMs: number,
  ): Operation<PaymentRow | undefined>
  /**
   * The payer's other authorization that has bought the same request after `sinceMs`, or is about to. It came at most ten
   * minutes before.
   */
  boughtFor(
    of: AuthorizationKey & Pick<PaymentRow, 'binding'>,
    sinceMs: number,
  ): Operation<PaymentRow | undefined>
  /** The payer's oldest settled payment that has this much left. */
  withCredit(chainId: number, payer: string, amountMicros: number): Operation<PaymentRow | undefined>
  /** How many of the payer's payments bought nothing and are free to be tried again, counted up to `limit`. */
  releasedOf(payer: string, sinceMs: number, limit: number): Operation<number>
  /** Authorizations whose outcome is open, oldest first. */
  open(): Operation<readonly PaymentRow[]>
  /** The settler's nonces that open payments have taken, without that of `exceptId`. */
  openSettlerNonces(chainId: number, settler: string, exceptId: string): Operation<readonly number[]>
}

export type SettledAmount = Readonly<Pick<PaymentRow, 'id' | 'amountMicros'>>

/** How many of a payer's payments are looked at for authorizations that were settled just now. */
const latestMax = 50

type AuthorizationKey = Readonly<Pick<PaymentRow, 'chainId' | 'asset' | 'payer'>> & { readonly nonce: string }

const isOpen = hasState('reserved', 'submitted')

/** How long before a time payments began that bought something after it. */
const underWayMs = 600_000

/** States and methods are written into the statements, since a bound one would hide the partial indexes from SQLite. */
export function createPaymentLookups(database: Database): PaymentLookups {
  const { one, all, exists, number, countUpTo } = statementsOf(database)
  const select = `select ${selectList(paymentColumns)} from payments where`
  const byAuthorization = one<[number, string, string, string], PaymentRow>(
    `${select} method = 'authorization' and chain_id = ? and asset = ? and payer = ? and nonce = ?`,
  )
  // Few payments are open, while a payer may have made a million: by itself SQLite would search by payer.
  const outstanding = number(
    `select coalesce(sum(amount_micros), 0) as number from payments${database.texts.indexedBy('payments_open')}
     where ${isOpen} and method = 'authorization' and chain_id = ? and asset = ? and payer = ? and id <> ?`,
  )
  const lateSettled = all<[string, number, string], SettledAmount>(
    `select id, amount_micros as "amountMicros" from (
       select * from payments where payer = ? order by created_at_ms desc limit ${latestMax}
     ) as latest where state = 'settled' and method = 'authorization' and chain_id = ? and asset = ?`,
  )
  const samePurchase = `method = 'authorization' and chain_id = ?1 and asset = ?2 and payer = ?3 and nonce <> ?4
     and binding = ?5 and amount_micros >= ?6`
  const pendingFor = one<[number, string, string, string, string | null, number, number], PaymentRow>(
    `${select} id = coalesce(
       (select id from payments${database.texts.indexedBy('payments_open')}
        where ${isOpen} and ${samePurchase} and coalesce(valid_until_ms, ?7) >= ?7
          and not exists (select 1 from charges where payment_id = payments.id and state = 'done')
        order by created_at_ms limit 1),
       (select id from payments where state = 'settled' and spent_micros < amount_micros and spent_micros = 0
          and ${samePurchase} order by created_at_ms limit 1))`,
  )
  const boughtFor = one<[number, string, string, string, string | null, number, number], PaymentRow>(
    `${select} id = (
       select payment_id from charges join payments as bought on bought.id = payment_id
       where method = 'authorization' and chain_id = ?1 and asset = ?2 and payer = ?3 and nonce <> ?4
         and binding = ?5 and binding is not null and bought.created_at_ms >= ?6 and slot = 'call:' || bought.id
         and (charges.state = 'reserved' or (charges.state = 'done' and done_at_ms > ?7))
       order by bought.created_at_ms limit 1)`,
  )
  const openSettlerNonces = all<[number, string, string], { nonce: number }>(
    `select settler_nonce as nonce from payments${database.texts.indexedBy('payments_open')}
     where ${isOpen} and chain_id = ? and settler = ? and settler_nonce is not null and id <> ?`,
  )
  return {
    byId: one(`${select} id = ?`),
    byTransaction: all(`${select} chain_id = ? and tx_hash = ? order by created_at_ms, id`),
    transfer: one(`${select} method = 'transfer' and chain_id = ? and tx_hash = ? and payer = ?`),
    isWholeTransactionPaid: exists(
      `select 1 from payments
       where method = 'transfer' and chain_id = ? and tx_hash = ? and scope = 'transaction' limit 1`,
    ),
    byAuthorization: ({ chainId, asset, payer, nonce }) => byAuthorization(chainId, asset, payer, nonce),
    byIdentifier: one(
      `${select} chain_id = ? and payer = ? and identifier = ?
         and ${hasState('reserved', 'submitted', 'settled')}
       order by state = 'reserved', created_at_ms desc limit 1`,
    ),
    outstandingMicros: ({ chainId, asset, payer }, exceptId) => outstanding(chainId, asset, payer, exceptId),
    lateSettled: ({ chainId, asset, payer }) => lateSettled(payer, chainId, asset),
    pendingFor: ({ chainId, asset, payer, nonce, binding }, priceMicros, endAfterMs) =>
      pendingFor(chainId, asset, payer, nonce, binding, priceMicros, endAfterMs),
    boughtFor: ({ chainId, asset, payer, nonce, binding }, sinceMs) =>
      boughtFor(chainId, asset, payer, nonce, binding, sinceMs - underWayMs, sinceMs),
    // `spent_micros < amount_micros` follows from the last condition; SQLite needs it to choose the partial index.
    withCredit: one(
      `${select} state = 'settled' and spent_micros < amount_micros and chain_id = ?1 and payer = ?2
         and amount_micros - spent_micros >= ?3 order by created_at_ms limit 1`,
    ),
    releasedOf: countUpTo(`payments where payer = ? and created_at_ms > ? and state = 'released'`),
    open: all(`${select} ${isOpen} order by created_at_ms`),
    openSettlerNonces: (...of) => openSettlerNonces(...of).as((rows) => rows.map(({ nonce }) => nonce)),
  }
}
