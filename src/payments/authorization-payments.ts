import { Problem } from '../errors.ts'
import { addressBlock } from '../lib/client-addresses.ts'
import { createCoalescer, type Waiter } from '../lib/waiter.ts'
import type { ChargeRow } from '../store/charges.ts'
import type { PaymentRow } from '../store/payment-states.ts'
import type { SettledTransfer } from './chain/chain.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import { authorizationDigest, isSignedByKey } from './chain/signatures.ts'
import { isTooOld } from './chain/transfer-verifier.ts'
import { type AuthorizationEntry, isActive, paymentSlot, transition } from './ledger/claims.ts'
import { type ReservationClaim, waitedForMs } from './ledger/ledger.ts'
import type { Payer } from './payment-limits.ts'
import { OutcomeUnknown, type PaymentRefusal, refuse } from './payment-reasons.ts'
import { clampToNumber, confirmationsFor, type Hex, termsInLowerCase, toMicros } from './payment-settings.ts'
import {
  type CheckedAuthorization,
  checkShown,
  checkTerms,
  checkValidity,
  claimPayment,
  type Decision,
  type PaymentParts,
  type Purchase,
  type Settler,
  spendRequestFor,
  type Unable,
} from './purchase.ts'
import type { SettlementState } from './settle/settlement-resolver.ts'
import type { OfferedAuthorization } from './wire/parse-payment.ts'
import { bindingFor } from './wire/request-binding.ts'

/** The steps are taken so often if other payments of the payer get in the way. */
const roundsMax = 4

type Deps = PaymentParts & { readonly settler: Settler }

interface Attempt {
  readonly offered: OfferedAuthorization
  readonly purchase: Purchase
  readonly entry: AuthorizationEntry
  /** When it was shown. What has bought the same request since then decides. */
  readonly shownMs: number
  isSigned: boolean
  /** The stored payment that has bought nothing, so that this one is tried. */
  released: PaymentRow | undefined
  money: CheckedMoney | undefined
}

type Again = Extract<ReservationClaim, { kind: 'stale-balance' | 'same-identifier' | 'earlier' }>

type Step = (attempt: Attempt) => Promise<Decision | Again | undefined>

/** Payments by signed authorization: verified first, reserved while the response is made, settled before it is sent. */
export function createAuthorizationPayments(deps: Deps) {
  const { ledger, waits, settings, clock, settler, findSigner } = deps
  const { find, pay: payBy, throwIfMaySettle } = createStoredAuthorizations(deps)
  const checkMoney = createMoneyCheck(deps)

  /** The way of an authorization to its request. The first step that decides is the last. */
  const steps: readonly Step[] = [
    // Our own terms count, not the client's copy of them. This asks nobody anything.
    async ({ offered, purchase }) => checkTerms(offered, purchase.priceMicros, settings),
    // An offer that its payer has not signed changes nothing and is told nothing.
    refuseUnsigned,
    // A payment that was shown before is decided by what became of it, however late: replayed, waited for, or refused.
    // A second signature for one request waits for the first, whose money may still buy it.
    payByStored,
    // An authorization that has ended buys nothing new, unless its money may have moved in time.
    async ({ offered }) => (mayHaveMoved(offered, deps) ? undefined : checkValidity(offered, clock.now())),
    // Money that is here buys the request, whoever carried it to the chain and whatever we are able to do.
    payBySettled,
    // Nothing is made for a payment that would not settle.
    refuseUnsettleable,
    // One transaction decides what the payer's balance pays for, among all servers.
    reserve,
  ]

  async function pay(offered: OfferedAuthorization, purchase: Purchase): Promise<Decision> {
    const attempt: Attempt = {
      offered,
      purchase,
      entry: entryFor(offered, purchase, deps),
      shownMs: clock.now(),
      isSigned: false,
      released: undefined,
      money: undefined,
    }
    let outcome = await takeSteps(attempt)
    for (let round = 1; isAgain(outcome) && round < roundsMax; round += 1) outcome = await takeSteps(attempt)
    if (isAgain(outcome)) {
      if (outcome.kind !== 'stale-balance')
        throw new OutcomeUnknown('busy', 'Another payment for the same request is being decided.')
      outcome = refuse('insufficient_funds')
    }
    if (attempt.released !== undefined && outcome.kind === 'refused') await throwIfMaySettle(attempt.released)
    return outcome
  }

  async function takeSteps(attempt: Attempt): Promise<Decision | Again> {
    for (const step of steps) {
      const outcome = await step(attempt)
      if (outcome !== undefined) return outcome
    }
    throw new Error('The last step decides.')
  }

  async function refuseUnsigned(attempt: Attempt): Promise<PaymentRefusal | undefined> {
    if (attempt.isSigned) return undefined
    const { offered, purchase } = attempt
    const { authorization, signature } = offered
    const digest = authorizationDigest(authorization, settings)
    if (!(await isSignedByKey(authorization.from, digest, signature))) {
      // A contract is not asked about what has ended, unless it is stored.
      const expired = checkValidity(offered, clock.now())
      if (expired !== undefined && (await find(attempt)) === undefined) return expired
      const verdict = await findSigner([authorization.from], digest, signature, purchase)
      if (verdict === 'undeployed') return refuse('invalid_exact_evm_payload_undeployed_smart_wallet')
      if (verdict === 'invalid') return refuse('invalid_exact_evm_payload_signature')
    }
    attempt.isSigned = true
  }

  async function payByStored(attempt: Attempt): Promise<Decision | undefined> {
    const stored = await find(attempt)
    const decision = stored && (await payBy(stored, attempt))
    if (decision === undefined) attempt.released ??= stored
    return decision
  }

  async function payBySettled(attempt: Attempt): Promise<Decision | undefined> {
    const { offered, entry, purchase } = attempt
    attempt.money = await checkMoney(attempt)
    const { checked } = attempt.money
    if (checked.kind !== 'settled-before') return undefined
    const { transfer } = checked
    const refusal = await checkSettled(deps, transfer, purchase)
    if (refusal !== undefined) return refusal
    // Anybody may show an authorization that is on chain already, unless it answers a challenge of ours.
    const binding = offered.via === 'mpp' ? entry.binding : null
    const payment = await ledger.adopt({ ...entry, binding }, transfer)
    if ('kind' in payment) return payment
    return checkShown(payment, offered, purchase, deps) ?? (await claimPayment(deps, payment, purchase))
  }

  async function refuseUnsettleable({ entry, money }: Attempt): Promise<PaymentRefusal | undefined> {
    if (money?.checked.kind === 'refused') return money.checked
    if (money?.checked.kind !== 'unable') return undefined
    // If somebody else settles it meanwhile, it is for this request.
    await ledger.show(entry)
    throw money.checked.error
  }

  async function reserve(attempt: Attempt): Promise<Decision | Again> {
    const { offered, entry, purchase, shownMs, money } = attempt
    if (money?.checked.kind !== 'checked') throw new Error('Its money is checked first.')
    const { settledBefore, checked } = money
    const offer = { balanceMicros: checked.balanceMicros, settledBefore, shownMs }
    const spend = spendRequestFor(purchase)
    const claim = await waits.claimWhenFree(purchase, () => ledger.reserve(entry, spend, offer))
    if (claim.kind === 'earlier') return (await payBy(claim.earlier, attempt)) ?? claim
    // If it was settled in the meantime, it needs no second settlement.
    if (claim.kind !== 'claimed' || claim.payment.state !== 'reserved') return claim
    return { ...claim, settle: () => settler.settle(claim.payment, offered, purchase) }
  }

  return { pay }
}

function isAgain(outcome: Decision | Again): outcome is Again {
  return ['stale-balance', 'same-identifier', 'earlier'].includes(outcome.kind)
}

function mayHaveMoved({ authorization }: OfferedAuthorization, { chain, clock, settings }: Deps): boolean {
  const { validAfter, validBefore } = authorization
  const nowMs = clock.now()
  return chain !== undefined && validAfter * 1000n < nowMs && validBefore * 1000n > nowMs - settings.maxAgeMs
}

async function checkSettled(deps: Deps, { blockNumber }: SettledTransfer, { priceMicros }: Purchase) {
  const { chain, settings } = deps
  if (chain === undefined) return undefined
  const [head, block] = await Promise.all([chain.head(), chain.block(blockNumber)])
  if (Math.max(head.number - blockNumber + 1, 1) < confirmationsFor(settings, priceMicros))
    throw new OutcomeUnknown('settlement_pending', 'The settlement needs more confirmations.')
  if (block === null)
    throw new OutcomeUnknown('payments_unavailable', 'The chain does not show the block of the settlement.')
  return isTooOld(block, deps) ? refuse('payment_too_old') : undefined
}

interface CheckedMoney {
  readonly settledBefore: ReadonlySet<string>
  readonly checked: SettledBefore | CheckedAuthorization | Unable | PaymentRefusal
}

type SettledBefore = { readonly kind: 'settled-before'; readonly transfer: SettledTransfer }

/** Tells whether the money is here, else whether it would come. Callers of one address share the check of an authorization. */
function createMoneyCheck(deps: Deps) {
  const { ledger, verificationLimiter, settings, chain, clock, settler } = deps
  const coalesce = createCoalescer<CheckedMoney>()

  /** The money that has arrived, no matter who sent the transaction. Undefined if the token has not seen the authorization. */
  async function findSettled(entry: AuthorizationEntry): Promise<SettledBefore | PaymentRefusal | undefined> {
    try {
      if (chain === undefined || !(await chain.isUsed(entry))) return undefined
      const transfer = await chain.findSettlement(entry)
      if (transfer !== undefined) return { kind: 'settled-before', transfer }
      return refuse('invalid_exact_evm_payload_authorization_used')
    } catch (error) {
      // A facilitator whose word is not checked needs no chain.
      const isTrusted = settings.settle === 'facilitator' && !settings.verifyFacilitator
      if (isTrusted && error instanceof RpcUnavailable) return undefined
      throw error
    }
  }

  async function check({ offered, purchase, entry }: Attempt): Promise<CheckedMoney['checked']> {
    const expired = checkValidity(offered, clock.now())
    const now = expired === undefined ? settler.check(offered, purchase) : Promise.resolve(expired)
    now.catch(() => undefined)
    return (await findSettled(entry)) ?? (await now)
  }

  /** The signer, if it is seen what the wallet holds. */
  function payerOf({ payer, amountMicros }: AuthorizationEntry): Payer | undefined {
    const { asset } = settings
    if (chain === undefined) return undefined
    const hasMoney = async () =>
      toMicros(await chain.balanceOf(asset.address, payer as Hex), asset) >= amountMicros
    return { address: payer, hasMoney }
  }

  return (attempt: Attempt): Promise<CheckedMoney> => {
    const { offered, purchase, entry } = attempt
    const { clientAddress } = purchase
    const { via, payload, signature } = offered
    const same = [addressBlock(clientAddress), purchase.key, via, signature, entry.nonce, payload]
    async function checkNow(waiter: Waiter): Promise<CheckedMoney> {
      const settledBefore = await ledger.settledOf(entry)
      const checked = await verificationLimiter.run(
        { clientAddress, waiter },
        () => check(attempt),
        ({ kind }) => kind === 'refused',
        payerOf(entry),
      )
      return { settledBefore, checked }
    }
    return coalesce(JSON.stringify(same), checkNow, purchase.waiter)
  }
}

/** Authorizations that were offered before: replayed, waited for, or free to be tried again. */
function createStoredAuthorizations(deps: Deps) {
  const { store, ledger, settings, clock, chain, resolver, verificationLimiter } = deps
  const coalesceResolve = createCoalescer<SettlementState>()

  async function find({ offered, entry, purchase }: Attempt): Promise<PaymentRow | undefined> {
    const { authorization, identifier } = offered
    const { chainId } = settings
    const { from: payer, nonce } = authorization
    const { asset } = termsInLowerCase(settings)
    // Two offers of a payer under the same idempotency key are one order.
    const sameIdentifier = identifier && (await store.payments.byIdentifier(chainId, payer, identifier))
    if (sameIdentifier) return sameIdentifier
    const key = { chainId, asset, payer, nonce, binding: entry.binding ?? null }
    const itself = await store.payments.byAuthorization(key)
    const isFree = itself === undefined || itself.state === 'released' || itself.state === 'failed'
    if (!isFree) return itself
    // A client that signs anew while its first authorization for the request is not decided pays once.
    const nowMs = clock.now()
    const pending = await store.payments.pendingFor(key, purchase.priceMicros, nowMs - waitedForMs)
    if (pending !== undefined || itself === undefined) return pending
    // The one that this one waited for may have bought the request since.
    const sinceMs = Math.max(itself.createdAtMs, nowMs - settings.replayWindowMs)
    return (await store.payments.boughtFor(key, sinceMs)) ?? itself
  }

  /** Undefined if the stored payment bought nothing and may be tried again. */
  async function payBy(stored: PaymentRow, { offered, purchase }: Attempt, isItself: boolean) {
    const { authorization, identifier } = offered
    if (identifier !== undefined && identifier === stored.identifier) {
      const claim = await findClaim(deps, stored)
      if (claim !== undefined && claim.request !== purchase.key) {
        const words =
          'Your payment identifier was used for another request, and nothing was charged for this one.'
        throw new Problem('payment_identifier_used', words)
      }
    }
    if (isItself && stored.amountMicros !== toMicros(authorization.value, settings.asset))
      return refuse('invalid_exact_evm_payload_authorization_used')
    const state = await currentState(stored, purchase)
    // A second authorization for one delivery must wait until the first can no longer be settled.
    if (state === 'pending' || (state === 'idle' && !isItself))
      throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not mined yet.', 5)
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

  return {
    find,
    /** See `payBy`. Another authorization that cannot be decided now remembers what this one was shown for. */
    async pay(stored: PaymentRow, attempt: Attempt): Promise<Decision | undefined> {
      const isItself = stored.nonce === attempt.offered.authorization.nonce
      try {
        return await payBy(stored, attempt, isItself)
      } catch (error) {
        // Its client may show it again when the stored one has bought the request: that must not cost a second payment.
        const isOpen = error instanceof OutcomeUnknown || error instanceof RpcUnavailable
        if (isOpen && !isItself) await ledger.show(attempt.entry)
        throw error
      }
    },
    /** Without an RPC, a payment that a facilitator was asked to settle stays open: nobody can see whether it did. */
    async throwIfMaySettle({ id, settler, state }: PaymentRow): Promise<void> {
      if (chain !== undefined || settler === null || state === 'settled') return
      // Listed as open for the operator.
      await transition(deps, id, { from: ['released'], to: 'submitted' })
      const words = 'Whether the facilitator settled this earlier cannot be seen without an RPC.'
      throw new OutcomeUnknown('settlement_pending', words, 30)
    },
  }
}

async function findClaim({ store, clock }: PaymentParts, { id }: PaymentRow): Promise<ChargeRow | undefined> {
  const charge = await store.charges.bySlot(paymentSlot(id))
  return charge !== undefined && isActive(charge, clock.now()) ? charge : undefined
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
