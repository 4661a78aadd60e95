import type { Steps } from '../../store/database.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import type { SettledAmount } from '../../store/payment-table.ts'
import type { SettledTransfer } from '../chain/chain.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import {
  type AuthorizationEntry,
  type Claim,
  type ClaimDeps,
  type Claims,
  isActive,
  type NumberedRequest,
  newRow,
  paymentSlot,
} from './claims.ts'

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
export function createAuthorizationLedger(
  { store, clock }: Pick<ClaimDeps, 'store' | 'clock'>,
  claims: Claims,
) {
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
    const settledMicros = sumOf(
      (yield* payments.lateSettled(entry)).filter(({ id }) => !settledBefore.has(id)),
    )
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

function sumOf(amounts: readonly SettledAmount[]): number {
  return amounts.reduce((sum, { amountMicros }) => sum + amountMicros, 0)
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
