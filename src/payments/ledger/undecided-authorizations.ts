import type { Steps } from '../../store/operation.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import { type ClaimDeps, type Claims, paymentSlot } from './claims.ts'
import { type AuthorizationEntry, newRow } from './new-row.ts'

export interface AuthorizationLedgerDeps extends Pick<ClaimDeps, 'store' | 'clock'> {
  readonly claims: Claims
}

/** Authorizations that have not bought anything yet: shown, waited for, or given up. The caller runs each in a transaction. */
export function createUndecidedAuthorizations({ store, clock, claims }: AuthorizationLedgerDeps) {
  const { payments, charges } = store

  /**
   * The payer's earlier authorization for the same request, unless what it was reserved by is gone; else the one that has
   * bought the request after `shownMs`, when this one was shown.
   */
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

  /**
   * Records for which request an authorization was shown that cannot be settled now. If somebody else settles it, its
   * money is for that request. A payer's latest are recorded and no more, because signatures cost nothing.
   */
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

  return { earlierFor, show, abandon, freeNonce }
}

/** How long after its end an authorization is waited for whose outcome nobody can see. */
export const waitedForMs = 600_000

/** How many of a payer's authorizations are recorded within an hour that could not be settled when they were shown. */
const shownMax = 100
const shownForMs = 3_600_000

/** An authorization that bought nothing is offered again, for the entry's request. */
export function takingUp({ binding = null }: AuthorizationEntry, nowMs: number) {
  const changes = { reason: null, binding }
  return { from: ['released', 'failed'], to: 'reserved', changes, nowMs } as const
}
