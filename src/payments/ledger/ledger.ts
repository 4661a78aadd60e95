import type { NewTransfer, PaymentRow } from '../../store/payment-row.ts'
import type { SettledTransfer } from '../chain/settlement-finder.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import { type AuthorizationEntry, type Bookkeeping, createAuthorizationLedger } from './authorizations.ts'
import {
  type Claim,
  type ClaimDeps,
  createClaims,
  newId,
  type SpendRequest,
  type StoredResponse,
} from './claims.ts'

/** The rules of spending: which request a payment may buy. Every decision is one durable transaction. */
export interface Ledger {
  /** Records a transfer, once, however often it is offered. Refuses if one of its logs has paid for something else. */
  record(transfer: TransferEntry, logIndexes: readonly number[]): PaymentRow | PaymentRefusal
  /** Records an authorization that somebody else settled, with the transfer that it caused. */
  adopt(authorization: AuthorizationEntry, settled: SettledTransfer): PaymentRow | PaymentRefusal
  /** What a slot has bought already; undefined where it is unused or in use. Takes no lock. */
  recall(paymentId: string, spend: SpendRequest): Claim | undefined
  /** Reserves the price for one request, or returns what the payment has bought already. */
  claim(paymentId: string, spend: SpendRequest): Claim
  /**
   * Records an authorization and reserves it for one request. Refuses if the payer's outstanding authorizations
   * together exceed `balanceMicros`.
   */
  reserve(authorization: AuthorizationEntry, spend: SpendRequest, balanceMicros: number): Claim
  /** Releases an authorization that no charge refers to, if it is still in the state `from`. */
  abandon(paymentId: string, from: 'reserved' | 'submitted'): void
  /** Frees the settler nonce of a transaction that never reached the network, if no charge refers to the payment. */
  freeNonce(payment: PaymentRow): void
  /** Stores the response for the replay window. False if the charge was released meanwhile. */
  complete(chargeId: string, answer: StoredResponse): boolean
  /** Gives the price back to the payment, because the request failed. */
  release(chargeId: string): void
}

export type TransferEntry = Omit<NewTransfer, Bookkeeping>

export function createLedger(deps: ClaimDeps): Ledger {
  const { store, clock } = deps
  const { payments, charges } = store
  const claims = createClaims(deps)
  const authorizations = createAuthorizationLedger({ store, clock, claims })

  function durably<T>(work: () => T) {
    return store.transaction(work, { durable: true })
  }

  function record(transfer: TransferEntry, logIndexes: readonly number[]): PaymentRow | PaymentRefusal {
    const now = clock.now()
    const row = { id: newId('pay'), createdAtMs: now, updatedAtMs: now }
    return payments.insertTransfer({ ...transfer, ...row }, logIndexes) ?? refuse('payment_already_used')
  }

  return {
    // Need not be durable: it can be read from the chain again, and the claim that follows is.
    record: (transfer, logIndexes) => store.transaction(() => record(transfer, logIndexes)),
    adopt: (entry, settled) => durably(() => authorizations.adopt(entry, settled)),
    recall: claims.recall,
    claim: (paymentId, spend) =>
      claims.recall(paymentId, spend) ??
      durably(() => {
        const payment = payments.byId(paymentId)
        return payment === undefined ? refuse('payment_not_found') : claims.claimSettled(payment, spend)
      }),
    reserve: (entry, spend, balance) => durably(() => authorizations.reserve(entry, spend, balance)),
    abandon: (paymentId, from) => durably(() => authorizations.abandon(paymentId, from)),
    freeNonce: (payment) => durably(() => authorizations.freeNonce(payment)),
    complete: (chargeId, answer) =>
      durably(() => {
        const head = JSON.stringify({ status: answer.status, headers: answer.headers })
        return charges.finish(chargeId, { head, body: answer.body }, clock.now())
      }),
    release: (chargeId) =>
      durably(() => {
        const charge = charges.byId(chargeId)
        if (charge !== undefined) claims.release(charge)
      }),
  }
}
