import type { PaymentRow } from '../store/payment-row.ts'
import type { Chain } from './chain/chain.ts'
import { authorizationDigest } from './chain/eip3009.ts'
import type { SettledTransfer } from './chain/settlement-finder.ts'
import type { SignatureChecker } from './chain/signature-checker.ts'
import { checkTerms, checkValidity } from './check-authorization.ts'
import type { AuthorizationEntry } from './ledger/authorizations.ts'
import { paymentSlot } from './ledger/claims.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentRefusal, refuse } from './payment-refusal.ts'
import { confirmationsFor, type PaymentSettings } from './payment-settings.ts'
import { claimWhenFree, type Decision, type Purchase, spendRequestFor, toDecision } from './purchase.ts'
import type { Settler } from './settle/settler.ts'
import { createStoredAuthorizations, type StoredAuthorizationDeps } from './stored-authorizations.ts'
import { clampToNumber, toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'

interface Deps extends StoredAuthorizationDeps {
  readonly chain: Chain | undefined
  readonly settler: Settler
  readonly signatures: SignatureChecker
  /** Transfers from before are not ours to sell. */
  readonly firstStartMs: number
}

/** Payments by signed authorization: verified first, reserved while the response is made, settled before it is sent. */
export function createAuthorizationPayments(deps: Deps) {
  const { ledger, settings, clock, settler, signatures, verificationLimiter } = deps
  const storedAuthorizations = createStoredAuthorizations(deps)

  async function pay(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const { authorization, signature } = offered
    const mistake = checkTerms(offered, purchase.offer.priceMicros, settings)
    if (mistake !== undefined) return mistake
    const digest = authorizationDigest(authorization, settings)
    const isSignedByKey = await signatures.isSignedByKey(authorization.from, digest, signature)
    const expired = checkValidity(authorization, clock.now())
    // An expired authorization may still fetch what it bought. One that is not stored is not worth a chain request.
    if (!isSignedByKey && expired !== undefined && storedAuthorizations.find(offered) === undefined)
      return expired
    const verdict = isSignedByKey
      ? 'valid'
      : await signatures.check(authorization.from, digest, signature, purchase.clientAddress)
    if (verdict === 'undeployed') return refuse('invalid_exact_evm_payload_undeployed_smart_wallet')
    if (verdict === 'invalid') return refuse('invalid_exact_evm_payload_signature')
    const stored = storedAuthorizations.find(offered)
    const earlier = stored && (await storedAuthorizations.pay(stored, offered, purchase))
    if (earlier !== undefined) return earlier
    const decision = checkValidity(authorization, clock.now()) ?? (await payAnew(offered, purchase))
    if (stored !== undefined && decision.kind === 'refused') storedAuthorizations.throwIfMaySettle(stored)
    return decision
  }

  async function payAnew(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const checked = await verificationLimiter.run(
      purchase.clientAddress,
      () => settler.check(offered, purchase.offer),
      ({ kind }) => kind === 'refused',
    )
    if (checked.kind === 'refused') return checked
    const entry = entryFor(offered, settings)
    if (checked.settled !== undefined) return await adopt(deps, entry, checked.settled, purchase)
    const spend = spendRequestFor(purchase, '', true)
    const claim = await claimWhenFree(() => ledger.reserve(entry, spend, checked.balanceMicros))
    // If it was settled in the meantime, it needs no second settlement.
    const isUnsettled = claim.kind === 'claimed' && claim.payment.state === 'reserved'
    function settle(payment: PaymentRow) {
      return settler.settle(payment, offered, purchase.offer)
    }
    return toDecision(claim, isUnsettled ? settle : undefined)
  }

  return { pay }
}

/** Somebody else settled our payer's authorization. The money is here, so it buys the request. */
async function adopt(
  deps: Deps,
  entry: AuthorizationEntry,
  settled: SettledTransfer,
  purchase: Purchase,
): Promise<Decision> {
  const { ledger } = deps
  const refusal = await checkSettled(deps, settled, purchase)
  if (refusal !== undefined) return refusal
  const payment = ledger.adopt(entry, settled)
  if ('kind' in payment) return payment
  const spend = spendRequestFor(purchase, paymentSlot(payment.id), true)
  return toDecision(await claimWhenFree(() => ledger.claim(payment.id, spend)))
}

/** Whether a settlement by somebody else is deep enough and recent enough. */
async function checkSettled(
  { chain, settings, clock, firstStartMs }: Deps,
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

function entryFor(
  { authorization, via, identifier }: OfferedAuthorization,
  { chainId, asset, payTo }: PaymentSettings,
): AuthorizationEntry {
  return {
    method: 'authorization',
    via,
    chainId,
    asset: asset.address.toLowerCase(),
    payTo: payTo.toLowerCase(),
    payer: authorization.from,
    nonce: authorization.nonce,
    identifier: identifier ?? null,
    amountMicros: toMicros(authorization.value, asset),
    validUntilMs: clampToNumber(authorization.validBefore * 1000n),
    state: 'reserved',
  }
}
