import type { Executable, Steps } from '../../store/database.ts'
import type { NewTransfer, PaymentRow } from '../../store/payment-states.ts'
import { findStoreError } from '../../store/store-error.ts'
import type { SettledTransfer } from '../chain/chain.ts'
import { refuse } from '../payment-reasons.ts'
import { createAuthorizationLedger, type ReservationOffer } from './authorizations.ts'
import {
  type AuthorizationEntry,
  type Bookkeeping,
  type Claim,
  type ClaimDeps,
  createClaims,
  type NumberedRequest,
  newId,
  newRow,
  payerLock,
  type SpendRequest,
  type StoredResponse,
  transferLock,
} from './claims.ts'

type PaymentOfPayer = Pick<PaymentRow, 'id' | 'payer'>
export type TransferEntry = Omit<NewTransfer, Bookkeeping>

export type Ledger = ReturnType<typeof createLedger>

/** The rules of spending: which request a payment may buy. Every decision is one durable transaction. */
export function createLedger(deps: ClaimDeps) {
  const { store, clock, replayWindowMs, unheardMs } = deps
  const { payments, charges } = store
  const claims = createClaims(deps)
  const { adopt, reserve, show, abandon, freeNonce } = createAuthorizationLedger(deps, claims)

  /** Runs the work as one durable transaction. Those that share a lock run one after the other, on whatever server. */
  function alone<T>(locks: readonly string[], work: () => Executable<T>): Promise<T> {
    return store.transaction(work, { durable: true, locks })
  }

  /** A charge that may have been stored as the database went away is released once it is back: its request gets no answer. */
  async function decide<Decided extends { readonly kind: string }>(
    of: Pick<PaymentRow, 'payer'>,
    spend: SpendRequest,
    work: (spend: NumberedRequest) => Executable<Decided>,
  ): Promise<Decided> {
    const chargeId = newId('chg')
    const locks = [payerLock(of)]
    try {
      return await alone(locks, () => work({ ...spend, chargeId }))
    } catch (error) {
      if (findStoreError(error)?.kind === 'unknown')
        void store.deferred.add(() => release(chargeId), { durable: true, locks })
      throw error
    }
  }

  /** Refuses if a log has paid for something else. Need not be durable: it can be read again, and the claim that follows is. */
  async function record(transfer: TransferEntry, logIndexes: readonly number[]) {
    const row = { ...transfer, ...newRow(clock) }
    const locks = [transferLock(transfer)]
    const payment = await store.transaction(() => payments.insertTransfer(row, logIndexes), { locks })
    return payment ?? refuse('payment_already_used')
  }

  function* claimNew(paymentId: string, spend: NumberedRequest): Steps<Claim> {
    const payment = yield* payments.byId(paymentId)
    return payment === undefined ? refuse('payment_not_found') : yield* claims.claimSettled(payment, spend)
  }

  async function claim(payment: PaymentOfPayer, spend: SpendRequest): Promise<Claim> {
    const earlier = await claims.recall(payment.id, spend)
    return earlier ?? (await decide(payment, spend, (numbered) => claimNew(payment.id, numbered)))
  }

  /** If nobody has heard the response, the replay window begins as its payer returns. False if the charge was released. */
  function* complete(chargeId: string, { body, ...answer }: StoredResponse, isHeard = true): Steps<boolean> {
    const stored = { head: JSON.stringify(answer), body }
    const doneAtMs = clock.now() + (isHeard ? 0 : Math.max(0, unheardMs - replayWindowMs))
    if (yield* charges.finish(chargeId, stored, doneAtMs)) return true
    return (yield* claims.regain(chargeId)) && (yield* charges.finish(chargeId, stored, doneAtMs))
  }

  function* hear(chargeId: string): Steps<void> {
    yield* charges.hear(chargeId, clock.now())
  }

  function* release(chargeId: string): Steps<void> {
    const charge = yield* charges.byId(chargeId)
    if (charge !== undefined) yield* claims.release(charge)
  }

  return {
    record,
    claim,
    recall: claims.recall,
    isHeld: claims.isHeld,
    adopt: (entry: AuthorizationEntry, settled: SettledTransfer) =>
      alone([payerLock(entry), transferLock(settled)], () => adopt(entry, settled)),
    /** The payer's settled authorizations, to be asked before the balance is read that `reserve` goes by. */
    async settledOf(entry: AuthorizationEntry): Promise<ReadonlySet<string>> {
      return new Set((await payments.lateSettled(entry)).map(({ id }) => id))
    },
    reserve: (entry: AuthorizationEntry, spend: SpendRequest, offer: ReservationOffer) =>
      decide(entry, spend, (numbered) => reserve(entry, numbered, offer)),
    show: (entry: AuthorizationEntry) => alone([payerLock(entry)], () => show(entry)),
    abandon: (payment: PaymentOfPayer, from: 'reserved' | 'submitted') =>
      alone([payerLock(payment)], () => abandon(payment.id, from)),
    freeNonce: (payment: PaymentRow) => alone([payerLock(payment)], () => freeNonce(payment)),
    release: (chargeId: string, payment: Pick<PaymentRow, 'payer'>) =>
      alone([payerLock(payment)], () => release(chargeId)),
    steps: { complete, hear, release },
  }
}
