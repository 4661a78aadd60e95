import type { Executable, Steps } from '../../store/database.ts'
import type { NewTransfer, PaymentRow } from '../../store/payment-states.ts'
import { findStoreError } from '../../store/store-error.ts'
import type { SettledTransfer } from '../chain/chain.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import {
  type AuthorizationEntry,
  type Bookkeeping,
  type Claim,
  type ClaimDeps,
  type Claims,
  createClaims,
  isActive,
  type NumberedRequest,
  newId,
  newRow,
  payerLock,
  paymentSlot,
  type SpendRequest,
  type StoredResponse,
  transferLock,
} from './claims.ts'

type PaymentOfPayer = Pick<PaymentRow, 'id' | 'payer'>

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
  async function record(transfer: Omit<NewTransfer, Bookkeeping>, logIndexes: readonly number[]) {
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
    steps: { complete, release, hear: (chargeId: string) => charges.hear(chargeId, clock.now()) },
  }
}

export interface ReservationOffer {
  readonly balanceMicros: number
  /** Authorizations that were settled before the balance was read: their money was gone from it. */
  readonly settledBefore: ReadonlySet<string>
  /** When the caller showed the authorization: what has bought the same request since then decides. By default now. */
  readonly shownMs?: number
}

/**
 * `stale-balance`: money may have moved since the balance was read. `same-identifier`: another authorization of the
 * payer has the identifier, and decides. `earlier`: an earlier authorization of the payer for the same request
 * decides.
 */
export type ReservationClaim =
  | Claim
  | { readonly kind: 'stale-balance' }
  | { readonly kind: 'same-identifier' }
  | { readonly kind: 'earlier'; readonly earlier: PaymentRow }

/** Payments by signed authorization, from their record to their settlement. The caller runs each in a transaction. */
function createAuthorizationLedger({ store, clock }: ClaimDeps, claims: Claims) {
  const { payments, charges } = store

  /** The stored authorization; a refusal if its nonce is stored with another amount, which could never arrive. */
  function* insert(entry: AuthorizationEntry): Steps<PaymentRow | PaymentRefusal> {
    const payment = yield* payments.insertAuthorization({ ...entry, ...newRow(clock) })
    const isSame = payment.amountMicros === entry.amountMicros
    return isSame ? payment : refuse('invalid_exact_evm_payload_authorization_used')
  }

  /** Records an authorization that somebody else settled, with the transfer that it caused. */
  function* adopt(entry: AuthorizationEntry, settled: SettledTransfer): Steps<PaymentRow | PaymentRefusal> {
    const payment = yield* insert(entry)
    if ('kind' in payment) return payment
    const nowMs = clock.now()
    if (yield* payments.settle(payment.id, { ...settled, nowMs }))
      return (yield* payments.byId(payment.id)) ?? payment
    const reason = 'payment_already_used'
    const from = ['reserved', 'submitted', 'released'] as const
    yield* payments.transition(payment.id, { from, to: 'failed', changes: { reason }, nowMs })
    return refuse(reason)
  }

  /** True if another authorization with the identifier was sent, has settled or is reserved by a request. */
  function* isIdentifierTaken({ chainId, payer, nonce, identifier }: AuthorizationEntry): Steps<boolean> {
    if (identifier == null) return false
    const other = yield* payments.byIdentifier(chainId, payer, identifier)
    if (other === undefined || other.nonce === nonce) return false
    if (other.state !== 'reserved') return true
    const charge = yield* charges.bySlot(paymentSlot(other.id))
    return charge !== undefined && isActive(charge, clock.now())
  }

  /** Refuses if the payer's outstanding authorizations exceed the balance, or may, as some were settled while it was read. */
  function* reserve(
    entry: AuthorizationEntry,
    request: NumberedRequest,
    { balanceMicros, settledBefore, shownMs = clock.now() }: ReservationOffer,
  ): Steps<ReservationClaim> {
    if (yield* isIdentifierTaken(entry)) return { kind: 'same-identifier' }
    const first = yield* earlierFor(entry, request.amountMicros, shownMs)
    if (first !== undefined) return { kind: 'earlier', earlier: first }
    const payment = yield* insert(entry)
    if ('kind' in payment) return payment
    const spend = { ...request, slot: paymentSlot(payment.id) }
    if (payment.state === 'settled') return yield* claims.claimSettled(payment, spend)
    if (payment.state === 'submitted') return { kind: 'busy', slot: spend.slot }
    const earlier = yield* claims.earlierClaim(payment, spend)
    if (earlier !== undefined) return earlier
    if (payment.state === 'reorged') return refuse('payment_reorged')
    yield* claims.releaseExpired(payment.id)
    const nowMs = clock.now()
    const leftMicros =
      balanceMicros - payment.amountMicros - (yield* payments.outstandingMicros(entry, payment.id))
    const late = (yield* payments.lateSettled(entry)).filter(({ id }) => !settledBefore.has(id))
    const settledMicros = late.reduce((sum, { amountMicros }) => sum + amountMicros, 0)
    if (leftMicros < settledMicros) {
      yield* payments.transition(payment.id, { from: ['reserved'], to: 'released', nowMs })
      return leftMicros < 0 ? refuse('insufficient_funds') : { kind: 'stale-balance' }
    }
    yield* payments.transition(payment.id, takingUp(entry, nowMs))
    return yield* claims.charge({ ...payment, state: 'reserved' }, spend)
  }

  /** The payer's earlier authorization for the request, unless nobody holds it; else the one that bought it after `shownMs`. */
  function* earlierFor(
    entry: AuthorizationEntry,
    priceMicros: number,
    shownMs: number,
  ): Steps<PaymentRow | undefined> {
    const { binding = null } = entry
    const endAfterMs = clock.now() - waitedForMs
    const earlier = yield* payments.pendingFor({ ...entry, binding }, priceMicros, endAfterMs)
    if (earlier === undefined) return yield* payments.boughtFor({ ...entry, binding }, shownMs)
    if (earlier.state !== 'reserved') return earlier
    yield* claims.releaseExpired(earlier.id)
    yield* abandon(earlier.id, 'reserved')
    // A settlement begins without the payer's lock: the payment may be submitted or settled by now.
    const left = yield* payments.byId(earlier.id)
    return left?.state === 'released' || left?.state === 'failed' ? undefined : left
  }

  /** Records the request of an authorization that cannot settle now, for the payer's latest: others may settle it for us. */
  function* show(entry: AuthorizationEntry): Steps<void> {
    const nowMs = clock.now()
    if ((yield* payments.releasedOf(entry.payer, nowMs - shownForMs, shownMax)) >= shownMax) return
    const payment = yield* payments.insertAuthorization({ ...entry, ...newRow(clock) })
    if (payment.amountMicros !== entry.amountMicros) return
    yield* payments.transition(payment.id, takingUp(entry, nowMs))
    yield* abandon(payment.id, 'reserved')
  }

  /** Releases an authorization that no charge refers to, if it is still in the state `from`. */
  function* abandon(paymentId: string, from: 'reserved' | 'submitted'): Steps<void> {
    if ((yield* charges.bySlot(paymentSlot(paymentId))) !== undefined) return
    yield* payments.transition(paymentId, { from: [from], to: 'released', nowMs: clock.now() })
  }

  /** Frees the settler nonce of a transaction that never reached the network, if no charge refers to the payment. */
  function* freeNonce({ id, txHash }: PaymentRow): Steps<void> {
    if ((yield* charges.bySlot(paymentSlot(id))) !== undefined) return
    const changes = { settlerNonce: null, rawTransaction: null }
    const nowMs = clock.now()
    yield* payments.transition(id, { from: ['submitted'], to: 'submitted', ifTxHash: txHash, changes, nowMs })
  }

  return { adopt, reserve, show, abandon, freeNonce }
}

/** An authorization whose outcome nobody can see is waited for so long after its end. */
export const waitedForMs = 600_000

/** So many of a payer's authorizations are recorded within an hour that could not be settled when they were shown. */
const shownMax = 100
const shownForMs = 3_600_000

/** An authorization that bought nothing is offered again, for the entry's request. */
function takingUp({ binding = null }: AuthorizationEntry, nowMs: number) {
  const changes = { reason: null, binding }
  return { from: ['released', 'failed'], to: 'reserved', changes, nowMs } as const
}
