import { addressBlock } from '../lib/client-blocks.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import type { Waiter } from '../lib/waiter.ts'
import { adopt } from './adopt-settlement.ts'
import { authorizationDigest } from './chain/eip3009.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import { isSignedByKey, type SignatureChecker } from './chain/signature-checker.ts'
import type { Payer } from './chain/verification-limiter.ts'
import { checkTerms, checkValidity } from './check-authorization.ts'
import { findSettled } from './find-settled.ts'
import type { AuthorizationEntry } from './ledger/new-row.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { refuse } from './payment-reasons.ts'
import { type Hex, termsInLowerCase } from './payment-settings.ts'
import { type Decision, type Purchase, spendRequestFor } from './purchase.ts'
import type { Settler } from './settle/settler.ts'
import { createStoredAuthorizations, type StoredAuthorizationDeps } from './stored-authorizations.ts'
import { clampToNumber, toMicros } from './token-amount.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
import { bindingFor } from './wire/request-binding.ts'

/** How often a claim is tried that other payments of the payer get in the way of. */
const claimsMax = 4

interface Deps extends StoredAuthorizationDeps {
  readonly settler: Settler
  readonly checkSignature: SignatureChecker
  readonly firstStartMs: number
}

interface CheckedPayer {
  readonly settledBefore: ReadonlySet<string>
  readonly checked: Awaited<ReturnType<typeof check>>
}

/** Payments by signed authorization: verified first, reserved while the response is made, settled before it is sent. */
export function createAuthorizationPayments(deps: Deps) {
  const { ledger, waits, settings, clock, settler, checkSignature } = deps
  const storedAuthorizations = createStoredAuthorizations(deps)
  const payByStored = createPaymentByStored(deps, storedAuthorizations.pay)
  const checkOnce = createSharedCheck(deps)

  async function pay(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const { authorization, signature } = offered
    const shownMs = clock.now()
    const mistake = checkTerms(offered, purchase.priceMicros, settings)
    if (mistake !== undefined) return mistake
    const digest = authorizationDigest(authorization, settings)
    const isOfKey = await isSignedByKey(authorization.from, digest, signature)
    const expired = checkValidity(offered, clock.now())
    // A key's expired authorization may have moved its money in time. A contract's is not worth asking about, unless it is stored.
    const tooLate = expired && mayHaveMoved(authorization, deps) ? undefined : expired
    if (
      !isOfKey &&
      expired !== undefined &&
      (await storedAuthorizations.find(offered, purchase)) === undefined
    )
      return expired
    const verdict = isOfKey ? 'valid' : await checkSignature(authorization.from, digest, signature, purchase)
    if (verdict === 'undeployed') return refuse('invalid_exact_evm_payload_undeployed_smart_wallet')
    if (verdict === 'invalid') return refuse('invalid_exact_evm_payload_signature')
    const stored = await storedAuthorizations.find(offered, purchase)
    const earlier = stored && (await payByStored(stored, offered, purchase))
    if (earlier !== undefined) return earlier
    const decision = tooLate ?? (await payAnew(offered, purchase, shownMs))
    if (stored !== undefined && decision.kind === 'refused')
      await storedAuthorizations.throwIfMaySettle(stored)
    return decision
  }

  async function payAnew(
    offered: OfferedAuthorization,
    purchase: Purchase,
    shownMs: number,
    triesLeft = claimsMax,
  ): Promise<Decision> {
    const entry = entryFor(offered, purchase, deps)
    const { settledBefore, checked } = await checkOnce(entry, offered, purchase)
    if (checked.kind === 'refused') return checked
    if (checked.kind === 'settled-before')
      return await adopt(deps, offered, entry, checked.transfer, purchase)
    if (checked.kind === 'unable') {
      await ledger.show(entry)
      throw checked.error
    }
    const offer = { balanceMicros: checked.balanceMicros, settledBefore, shownMs }
    const claim = await waits.claimWhenFree(purchase, () =>
      ledger.reserve(entry, spendRequestFor(purchase), offer),
    )
    if (claim.kind === 'same-identifier') return await pay(offered, purchase)
    if (claim.kind === 'stale-balance')
      return triesLeft > 1 ? payAnew(offered, purchase, shownMs, triesLeft - 1) : refuse('insufficient_funds')
    if (claim.kind === 'earlier') {
      const decision = await payByStored(claim.earlier, offered, purchase)
      if (decision !== undefined) return decision
      if (triesLeft > 1) return payAnew(offered, purchase, shownMs, triesLeft - 1)
      throw new OutcomeUnknown('busy', 'Another payment for the same request is being decided.')
    }
    // If it was settled in the meantime, it needs no second settlement.
    if (claim.kind !== 'claimed' || claim.payment.state !== 'reserved') return claim
    return { ...claim, settle: () => settler.settle(claim.payment, offered, purchase) }
  }

  return { pay }
}

/** Pays by an authorization that was shown before, and remembers which one it was asked for with while that is open. */
function createPaymentByStored(
  deps: Deps,
  payBy: ReturnType<typeof createStoredAuthorizations>['pay'],
): typeof payBy {
  return async (stored, offered, purchase) => {
    try {
      return await payBy(stored, offered, purchase)
    } catch (error) {
      // Its client may show it again when the stored one has bought the request: that must not cost a second payment.
      const isOpen = error instanceof OutcomeUnknown || error instanceof RpcUnavailable
      const isOther = stored.nonce !== offered.authorization.nonce
      if (isOpen && isOther) await deps.ledger.show(entryFor(offered, purchase, deps))
      throw error
    }
  }
}

/** Reads what is settled, then checks the authorization. The callers of one address share the check of the same one. */
function createSharedCheck(deps: Deps) {
  const { ledger, verificationLimiter } = deps
  const coalesce = createCoalescer<CheckedPayer>()
  return (entry: AuthorizationEntry, offered: OfferedAuthorization, purchase: Purchase) => {
    const { clientAddress } = purchase
    const { via, payload, signature } = offered
    const same = [addressBlock(clientAddress), purchase.key, via, signature, entry.nonce, payload]
    async function checkNow(waiter: Waiter): Promise<CheckedPayer> {
      const settledBefore = await ledger.settledOf(entry)
      const checked = await verificationLimiter.run(
        { clientAddress, waiter },
        () => check(deps, offered, purchase, entry),
        ({ kind }) => kind === 'refused',
        payerOf(deps, entry),
      )
      return { settledBefore, checked }
    }
    return coalesce(JSON.stringify(same), checkNow, purchase.waiter)
  }
}

/** The signer of an authorization; undefined without an RPC, where nobody can see what the wallet holds. */
function payerOf({ chain, settings }: Deps, { payer, amountMicros }: AuthorizationEntry): Payer | undefined {
  if (chain === undefined) return undefined
  const { asset } = settings
  const hasMoney = async () =>
    toMicros(await chain.balanceOf(asset.address, payer as Hex), asset) >= amountMicros
  return { address: payer, hasMoney }
}

/** Whether the money is here already is judged first. The settler is asked meanwhile, so that the payer does not wait twice. */
async function check(
  deps: Deps,
  offered: OfferedAuthorization,
  purchase: Purchase,
  entry: AuthorizationEntry,
) {
  const expired = checkValidity(offered, deps.clock.now())
  const now = expired === undefined ? deps.settler.check(offered, purchase) : Promise.resolve(expired)
  now.catch(() => undefined)
  return (await findSettled(deps, entry)) ?? (await now)
}

/** Whether the authorization may have moved its money so lately that it still counts. */
function mayHaveMoved(
  { validAfter, validBefore }: OfferedAuthorization['authorization'],
  { chain, clock, settings }: Deps,
): boolean {
  const nowMs = clock.now()
  return chain !== undefined && validAfter * 1000n < nowMs && validBefore * 1000n > nowMs - settings.maxAgeMs
}

function entryFor(
  { authorization, via, identifier }: OfferedAuthorization,
  purchase: Purchase,
  { settings, secret }: Deps,
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
    binding: bindingFor(purchase, secret),
    state: 'reserved',
  }
}
