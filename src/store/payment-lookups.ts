import type { Operation } from './operation.ts'
import type { PaymentRow } from './payment-row.ts'

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
  /** How many of the payer's payments bought nothing and are free to be tried again, counted up to `limit`. */
  releasedOf(payer: string, sinceMs: number, limit: number): Operation<number>
  /** Authorizations whose outcome is open, oldest first. */
  open(): Operation<readonly PaymentRow[]>
  /** The settler's nonces that open payments have taken, without that of `exceptId`. */
  openSettlerNonces(chainId: number, settler: string, exceptId: string): Operation<readonly number[]>
}

export type SettledAmount = Readonly<Pick<PaymentRow, 'id' | 'amountMicros'>>

type AuthorizationKey = Readonly<Pick<PaymentRow, 'chainId' | 'asset' | 'payer'>> & {
  readonly nonce: string
}
