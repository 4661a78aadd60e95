import { Problem } from '../errors.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import type { ChargeRow } from '../store/charges.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { Chain } from './chain/chain.ts'
import type { VerificationLimiter } from './chain/verification-limiter.ts'
import { checkShown } from './check-binding.ts'
import { isActive, paymentSlot } from './ledger/claims.ts'
import { transition } from './ledger/transition.ts'
import { waitedForMs } from './ledger/undecided-authorizations.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentContext } from './payment-context.ts'
import { refuse } from './payment-reasons.ts'
import { termsInLowerCase } from './payment-settings.ts'
import { type ClaimContext, claimPayment, type Decision, type Purchase } from './purchase.ts'
import type { SettlementResolver, SettlementState } from './settle/settlement-resolver.ts'
import { toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
import { bindingFor } from './wire/request-binding.ts'

export interface StoredAuthorizationDeps extends PaymentContext, ClaimContext {
  readonly chain: Chain | undefined
  readonly resolver: SettlementResolver
  readonly verificationLimiter: VerificationLimiter
}

/** Authorizations that were offered before: replayed, waited for, or free to be tried again. */
export function createStoredAuthorizations(deps: StoredAuthorizationDeps) {
  const { store, ledger, settings, clock, secret, chain, resolver, verificationLimiter } = deps
  const coalesceResolve = createCoalescer<SettlementState>()

  /**
   * The authorization itself, the one that its payer sent under the same idempotency key, or the one that its payer sent
   * for the same request before, if that was not decided when this one was shown: a client that signs anew meanwhile pays
   * once.
   */
  async function find(
    { authorization, identifier }: OfferedAuthorization,
    purchase: Purchase,
  ): Promise<PaymentRow | undefined> {
    const { chainId } = settings
    const { from: payer, nonce } = authorization
    const { asset } = termsInLowerCase(settings)
    const sameIdentifier = identifier && (await store.payments.byIdentifier(chainId, payer, identifier))
    if (sameIdentifier) return sameIdentifier
    const key = { chainId, asset, payer, nonce, binding: bindingFor(purchase, secret) }
    const itself = await store.payments.byAuthorization(key)
    const isFree = itself === undefined || itself.state === 'released' || itself.state === 'failed'
    if (!isFree) return itself
    const nowMs = clock.now()
    const pending = await store.payments.pendingFor(key, purchase.priceMicros, nowMs - waitedForMs)
    if (pending !== undefined || itself === undefined) return pending
    const sinceMs = Math.max(itself.createdAtMs, nowMs - settings.replayWindowMs)
    return (await store.payments.boughtFor(key, sinceMs)) ?? itself
  }

  /**
   * Undefined if the stored payment bought nothing and may be tried again. Throws a `Problem` if the caller's identifier
   * was used for another request.
   */
  async function pay(
    stored: PaymentRow,
    offered: OfferedAuthorization,
    purchase: Purchase,
  ): Promise<Decision | undefined> {
    const { authorization, identifier } = offered
    if (identifier !== undefined && identifier === stored.identifier) {
      const claim = await findClaim(deps, stored)
      if (claim !== undefined && claim.request !== purchase.key) throw identifierUsed()
    }
    const isItself = stored.nonce === authorization.nonce
    if (isItself && stored.amountMicros !== toMicros(authorization.value, settings.asset)) {
      return refuse('invalid_exact_evm_payload_authorization_used')
    }
    const state = await currentState(stored, purchase)
    // A second authorization for one delivery must wait until the first can no longer be settled.
    if (state === 'pending' || (state === 'idle' && !isItself)) {
      throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not mined yet.', 5)
    }
    if (state === 'idle') await ledger.abandon(stored, 'submitted')
    // Reserved or submitted by a request that is still running: that one decides.
    if (state !== 'settled' && state !== 'reserved' && state !== 'submitted') return undefined
    const claim = await findClaim(deps, stored)
    if (state === 'reserved' && claim === undefined) return undefined
    if (claim !== undefined && claim.request !== purchase.key) return refuse('payment_already_used')
    // Nobody bought anything with it yet, and it may be shown by anybody who found it on chain.
    const unbound = isItself && claim === undefined ? checkShown(stored, offered, purchase, deps) : undefined
    return unbound ?? (await claimPayment(deps, stored, purchase))
  }

  /** Asks the chain about a settlement that no request waits for any more, or that was in a dropped block. */
  async function currentState(stored: PaymentRow, purchase: Purchase) {
    const isOpen =
      stored.state === 'reorged' || (stored.state === 'submitted' && !(await findClaim(deps, stored)))
    if (!isOpen) return stored.state
    const resolve = () => coalesceResolve(`${stored.id} ${stored.txHash}`, () => resolver.resolve(stored))
    // The payer signed it, and held the money when it was stored.
    const payer = { address: stored.payer, hasMoney: async () => true }
    return await verificationLimiter.run(purchase, resolve, (state) => state === 'pending', payer)
  }

  /** Without an RPC, a payment that a facilitator was asked to settle stays open: nobody can see whether it did. */
  async function throwIfMaySettle({ id, settler, state }: PaymentRow): Promise<void> {
    if (chain !== undefined || settler === null || state === 'settled') return
    // Listed as open for the operator.
    await transition(deps, id, { from: ['released'], to: 'submitted' })
    const words = 'Whether the facilitator settled this earlier cannot be seen without an RPC.'
    throw new OutcomeUnknown('settlement_pending', words, 30)
  }

  return { find, pay, throwIfMaySettle }
}

/** The charge of the request that the payment was made for, if it was answered or may still be running. */
async function findClaim(
  { store, clock }: StoredAuthorizationDeps,
  payment: PaymentRow,
): Promise<ChargeRow | undefined> {
  const charge = await store.charges.bySlot(paymentSlot(payment.id))
  return charge !== undefined && isActive(charge, clock.now()) ? charge : undefined
}

function identifierUsed(): Problem {
  const words = 'Your payment identifier was used for another request, and nothing was charged for this one.'
  return new Problem('payment_identifier_used', words)
}
