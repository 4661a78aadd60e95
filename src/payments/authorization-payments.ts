import { addressBlock } from '../lib/address-block.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import { authorizationDigest } from './chain/eip3009.ts'
import { isTooOld } from './chain/judge-transfer.ts'
import type { SettledTransfer } from './chain/settlement-finder.ts'
import { isSignedByKey, type SignatureChecker } from './chain/signature-checker.ts'
import type { Payer } from './chain/verification-limiter.ts'
import { checkTerms, checkValidity } from './check-authorization.ts'
import type { AuthorizationEntry } from './ledger/authorizations.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import { confirmationsFor, type Hex, type PaymentSettings, termsInLowerCase } from './payment-settings.ts'
import {
  authorizationSlot,
  claimInTurn,
  claimPayment,
  type Decision,
  type Purchase,
  spendRequestFor,
} from './purchase.ts'
import type { Settler } from './settle/settler.ts'
import { createStoredAuthorizations, type StoredAuthorizationDeps } from './stored-authorizations.ts'
import { clampToNumber, toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'

/** How often a balance is read that other payments change meanwhile, before it counts as spent. */
const balanceReadsMax = 4

interface Deps extends StoredAuthorizationDeps {
  readonly settler: Settler
  readonly checkSignature: SignatureChecker
  readonly firstStartMs: number
}

interface CheckedPayer {
  readonly settledBefore: ReadonlySet<string>
  readonly checked: Awaited<ReturnType<Settler['check']>>
}

/** Payments by signed authorization: verified first, reserved while the response is made, settled before it is sent. */
export function createAuthorizationPayments(deps: Deps) {
  const { ledger, turns, settings, clock, settler, checkSignature, verificationLimiter } = deps
  const storedAuthorizations = createStoredAuthorizations(deps)
  const coalesceCheck = createCoalescer<CheckedPayer>()

  async function pay(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const { authorization, signature } = offered
    const mistake = checkTerms(offered, purchase.priceMicros, settings)
    if (mistake !== undefined) return mistake
    const digest = authorizationDigest(authorization, settings)
    const isOfKey = await isSignedByKey(authorization.from, digest, signature)
    const expired = checkValidity(authorization, clock.now())
    // An expired authorization may still fetch what it bought. One that is not stored is not worth a chain request.
    if (!isOfKey && expired !== undefined && (await storedAuthorizations.find(offered)) === undefined)
      return expired
    const verdict = isOfKey
      ? 'valid'
      : await checkSignature(authorization.from, digest, signature, purchase.clientAddress)
    if (verdict === 'undeployed') return refuse('invalid_exact_evm_payload_undeployed_smart_wallet')
    if (verdict === 'invalid') return refuse('invalid_exact_evm_payload_signature')
    const stored = await storedAuthorizations.find(offered)
    const earlier = stored && (await storedAuthorizations.pay(stored, offered, purchase))
    if (earlier !== undefined) return earlier
    const decision = checkValidity(authorization, clock.now()) ?? (await payAnew(offered, purchase))
    if (stored !== undefined && decision.kind === 'refused')
      await storedAuthorizations.throwIfMaySettle(stored)
    return decision
  }

  /** Reads what is settled, then checks the authorization. The callers of one address share the check of the same one. */
  function checkOnce(entry: AuthorizationEntry, offered: OfferedAuthorization, purchase: Purchase) {
    const { clientAddress } = purchase
    const { via, payload, signature } = offered
    const same = [addressBlock(clientAddress), purchase.key, via, signature, entry.nonce, payload]
    return coalesceCheck(JSON.stringify(same), async () => {
      const settledBefore = await ledger.settledOf(entry)
      const check = () => settler.check(offered, purchase)
      const checked = await verificationLimiter.run(
        clientAddress,
        check,
        ({ kind }) => kind === 'refused',
        payerOf(deps, entry),
      )
      return { settledBefore, checked }
    })
  }

  async function payAnew(
    offered: OfferedAuthorization,
    purchase: Purchase,
    triesLeft = balanceReadsMax,
  ): Promise<Decision> {
    const entry = entryFor(offered, settings)
    const { settledBefore, checked } = await checkOnce(entry, offered, purchase)
    if (checked.kind === 'refused') return checked
    if (checked.settled !== undefined) return await adopt(deps, entry, checked.settled, purchase)
    const spend = spendRequestFor(purchase)
    const { balanceMicros } = checked
    const claim = await claimInTurn(turns, authorizationSlot(entry), purchase, () =>
      ledger.reserve(entry, spend, { balanceMicros, settledBefore }),
    )
    if (claim.kind === 'same-identifier') return await pay(offered, purchase)
    if (claim.kind === 'stale-balance')
      return triesLeft > 1 ? payAnew(offered, purchase, triesLeft - 1) : refuse('insufficient_funds')
    // If it was settled in the meantime, it needs no second settlement.
    if (claim.kind !== 'claimed' || claim.payment.state !== 'reserved') return claim
    return { ...claim, settle: () => settler.settle(claim.payment, offered, purchase) }
  }

  return { pay }
}

/** The signer of an authorization; undefined without an RPC, where nobody can see what the wallet holds. */
function payerOf({ chain, settings }: Deps, { payer, amountMicros }: AuthorizationEntry): Payer | undefined {
  if (chain === undefined) return undefined
  const { asset } = settings
  const hasMoney = async () =>
    toMicros(await chain.balanceOf(asset.address, payer as Hex), asset) >= amountMicros
  return { address: payer, hasMoney }
}

/** Somebody else settled our payer's authorization. The money is here, so it buys the request. */
async function adopt(
  deps: Deps,
  entry: AuthorizationEntry,
  settled: SettledTransfer,
  purchase: Purchase,
): Promise<Decision> {
  const refusal = await checkSettled(deps, settled, purchase)
  if (refusal !== undefined) return refusal
  const payment = await deps.ledger.adopt(entry, settled)
  return 'kind' in payment ? payment : await claimPayment(deps, payment, purchase)
}

/** Whether a settlement by somebody else is deep enough and recent enough. */
async function checkSettled(
  deps: Deps,
  { blockNumber }: SettledTransfer,
  { priceMicros }: Purchase,
): Promise<PaymentRefusal | undefined> {
  const { chain, settings } = deps
  if (chain === undefined) return undefined
  const [head, block] = await Promise.all([chain.head(), chain.block(blockNumber)])
  if (Math.max(head.number - blockNumber + 1, 1) < confirmationsFor(settings, priceMicros)) {
    throw new OutcomeUnknown('settlement_pending', 'The settlement needs more confirmations.')
  }
  return block === null || isTooOld(block, deps) ? refuse('payment_too_old') : undefined
}

function entryFor(
  { authorization, via, identifier }: OfferedAuthorization,
  settings: PaymentSettings,
): AuthorizationEntry {
  return {
    ...termsInLowerCase(settings),
    method: 'authorization',
    via,
    chainId: settings.chainId,
    payer: authorization.from,
    nonce: authorization.nonce,
    identifier: identifier ?? null,
    amountMicros: toMicros(authorization.value, settings.asset),
    validUntilMs: clampToNumber(authorization.validBefore * 1000n),
    state: 'reserved',
  }
}
