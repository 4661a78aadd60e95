import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import type { Chain } from './chain/chain.ts'
import { authorizationDigest, checkTerms, checkTime } from './chain/eip3009.ts'
import type { SettledTransfer } from './chain/settlement-finder.ts'
import type { SignatureChecker } from './chain/signature-checker.ts'
import type { VerificationLimiter } from './chain/verification-limiter.ts'
import { type AuthorizationEntry, isLeased, type Ledger, paymentSlot } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentRefusal, refuse } from './payment-refusal.ts'
import { confirmationsFor, type PaymentSettings } from './payment-settings.ts'
import { claimWhenFree, type Decision, type Purchase, spendRequestFor, toDecision } from './purchase.ts'
import type { SettlementResolver } from './settle/settlement-resolver.ts'
import type { Settler } from './settle/settler.ts'
import { clampToNumber, toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'

interface Deps {
  readonly store: Store
  readonly ledger: Ledger
  readonly settings: PaymentSettings
  readonly clock: Clock
  readonly chain: Chain | undefined
  readonly resolver: SettlementResolver
  readonly settler: Settler
  readonly signatures: SignatureChecker
  readonly verificationLimiter: VerificationLimiter
  readonly firstStartMs: number
}

/** Money that a signature promises: checked, held while the answer is made, moved before it goes out. */
export function createAuthorizationPayments(deps: Deps) {
  const {
    store,
    ledger,
    settings,
    clock,
    chain,
    resolver,
    settler,
    signatures,
    verificationLimiter: chainWork,
    firstStartMs,
  } = deps

  async function pay(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const { authorization, signature } = offered
    const terms = checkTerms(offered, purchase.offer.priceMicros, settings)
    if (terms !== undefined) return terms
    const digest = authorizationDigest(authorization, settings)
    const isOfKey = await signatures.isSignedByKey(authorization.from, digest, signature)
    // What nobody can carry out any more may still ask for what it bought. Of a stranger it is worth no question.
    const isTimely = checkTime(authorization, clock.now())
    if (!isOfKey && isTimely !== undefined && findKnown(offered) === undefined) return isTimely
    const verdict = isOfKey
      ? 'valid'
      : await signatures.check(authorization.from, digest, signature, purchase.clientAddress)
    if (verdict === 'undeployed') return refuse('invalid_exact_evm_payload_undeployed_smart_wallet')
    if (verdict === 'invalid') return refuse('invalid_exact_evm_payload_signature')
    const stored = findKnown(offered)
    if (stored !== undefined) {
      const earlier = await payWithKnown(stored, offered, purchase)
      if (earlier !== undefined) return earlier
    }
    const decision = checkTime(authorization, clock.now()) ?? (await payAnew(offered, purchase))
    if (decision.kind === 'refused' && stored !== undefined && mayHaveMoved(stored)) {
      keepOpen(stored)
      const words = 'Whether the facilitator settled this earlier cannot be seen without an RPC.'
      throw new OutcomeUnknown('settlement_pending', words, 30)
    }
    return decision
  }

  /** Whether somebody was asked to carry it to a chain that we cannot look at. */
  function mayHaveMoved({ settler: carrier, state }: PaymentRow): boolean {
    return chain === undefined && carrier !== null && state !== 'settled'
  }

  /** What may have moved money stays in sight of the operator. */
  function keepOpen({ id }: PaymentRow): void {
    const step = { from: ['released'], to: 'submitted', nowMs: clock.now() } as const
    store.transaction(() => store.payments.transition(id, step), { durable: true })
  }

  /** The authorization itself, or the one that its payer sent under the same idempotency key. */
  function findKnown({ authorization, identifier }: OfferedAuthorization): PaymentRow | undefined {
    const { chainId, asset } = settings
    const { from: payer, nonce } = authorization
    const twin = identifier && store.payments.byIdentifier(chainId, payer, identifier)
    return (
      twin || store.payments.byAuthorization({ chainId, asset: asset.address.toLowerCase(), payer, nonce })
    )
  }

  async function payWithKnown(
    stored: PaymentRow,
    { authorization }: OfferedAuthorization,
    purchase: Purchase,
  ): Promise<Decision | undefined> {
    const isItself = stored.nonce === authorization.nonce
    if (isItself && stored.amountMicros !== toMicros(authorization.value, settings.asset)) {
      return refuse('invalid_exact_evm_payload_authorization_used')
    }
    // What was sent, and what the chain dropped, is wherever the chain has it now.
    const isOpen = stored.state === 'reorged' || (stored.state === 'submitted' && !isHeld(stored))
    const outcome = isOpen
      ? await chainWork.run(
          purchase.clientAddress,
          () => resolver.resolve(stored),
          (found) => found === 'pending',
        )
      : stored.state
    // Of two authorizations for one thing the second must wait until the first cannot be carried out any more.
    if (outcome === 'pending' || (outcome === 'idle' && !isItself)) {
      throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not mined yet.', 5)
    }
    if (outcome === 'idle') ledger.abandon(stored.id, 'submitted')
    // Reserved or submitted by a call that is being answered: that one decides.
    if (outcome !== 'settled' && outcome !== 'reserved' && outcome !== 'submitted') return undefined
    if (outcome === 'reserved' && !isHeld(stored)) return undefined
    const spend = spendRequestFor(purchase, paymentSlot(stored.id), true)
    return toDecision(await claimWhenFree(() => ledger.claim(stored.id, spend)))
  }

  function isHeld(payment: PaymentRow): boolean {
    const charge = store.charges.bySlot(paymentSlot(payment.id))
    return charge !== undefined && (charge.state === 'done' || isLeased(charge, clock.now()))
  }

  async function payAnew(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const checked = await chainWork.run(
      purchase.clientAddress,
      () => settler.check(offered, purchase.offer),
      ({ kind }) => kind === 'refused',
    )
    if (checked.kind === 'refused') return checked
    const entry = entryFor(offered)
    if (checked.carried !== undefined) return await adopt(entry, checked.carried, purchase)
    const spend = spendRequestFor(purchase, '', true)
    const claim = await claimWhenFree(() => ledger.reserve(entry, spend, checked.balanceMicros))
    // What was settled in the meantime needs no second settlement.
    const isNew = claim.kind === 'claimed' && claim.payment.state === 'reserved'
    return toDecision(
      claim,
      isNew ? (payment) => settler.settle(payment, offered, purchase.offer) : undefined,
    )
  }

  /** Somebody else carried our payer's authorization to the chain. The money is here, so it buys its call. */
  async function adopt(
    entry: AuthorizationEntry,
    carried: SettledTransfer,
    purchase: Purchase,
  ): Promise<Decision> {
    const refusal = await checkCarried(carried, purchase)
    if (refusal !== undefined) return refusal
    const payment = ledger.adopt(entry, carried)
    if ('kind' in payment) return payment
    const spend = spendRequestFor(purchase, paymentSlot(payment.id), true)
    return toDecision(await claimWhenFree(() => ledger.claim(payment.id, spend)))
  }

  async function checkCarried(
    { blockNumber }: SettledTransfer,
    { offer }: Purchase,
  ): Promise<PaymentRefusal | undefined> {
    if (chain === undefined) return undefined
    const [head, block] = await Promise.all([chain.head(), chain.block(blockNumber)])
    if (Math.max(head.number - blockNumber + 1, 1) < confirmationsFor(settings, offer.priceMicros)) {
      throw new OutcomeUnknown('settlement_pending', 'The settlement needs more confirmations.')
    }
    const earliestMs = Math.max(clock.now() - settings.maxAgeMs, Math.floor(firstStartMs / 1000) * 1000)
    return block === null || block.timeMs < earliestMs ? refuse('payment_too_old') : undefined
  }

  function entryFor({ authorization, via, identifier }: OfferedAuthorization): AuthorizationEntry {
    return {
      method: 'authorization',
      via,
      chainId: settings.chainId,
      asset: settings.asset.address.toLowerCase(),
      payTo: settings.payTo.toLowerCase(),
      payer: authorization.from,
      nonce: authorization.nonce,
      identifier: identifier ?? null,
      amountMicros: toMicros(authorization.value, settings.asset),
      validUntilMs: clampToNumber(authorization.validBefore * 1000n),
      state: 'reserved',
    }
  }

  return { pay }
}
