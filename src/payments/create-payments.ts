import { LRUCache } from 'lru-cache'
import { repeatWhileLocked } from '../store/store-error.ts'
import { createAuthorizationPayments } from './authorization-payments.ts'
import { type Chain, openChain } from './chain/chain.ts'
import { createSignerFinder } from './chain/signatures.ts'
import { createPaymentAuthorization, responseOf, toUnknown } from './create-payment-authorization.ts'
import { payerLock } from './ledger/claims.ts'
import { createLedger } from './ledger/ledger.ts'
import { createPaymentWaits, createVerificationLimiter } from './payment-limits.ts'
import { OutcomeUnknown, paymentReasons, refuse } from './payment-reasons.ts'
import type { PaymentContext } from './payment-settings.ts'
import {
  noTerms,
  type PayableRequest,
  type PaymentOutcome,
  type Payments,
  type PaymentTerms,
  paymentRequiredResponse,
} from './payments.ts'
import { createPurchase, type PaymentParts, type Purchase } from './purchase.ts'
import { createFacilitatorSettler } from './settle/facilitator-settler.ts'
import { createMaintenance } from './settle/maintenance.ts'
import { createReorgCheck } from './settle/reorg-check.ts'
import { createSelfSettler } from './settle/self-settler.ts'
import { createSettlementResolver } from './settle/settlement-resolver.ts'
import { createSettlerAccount } from './settle/settler-account.ts'
import { createTransactionExplainer } from './transaction-explainer.ts'
import { createTransferPayments } from './transfer-payments.ts'
import { type OfferedPayment, parsePayment } from './wire/parse-payment.ts'
import { type Offer, paymentTerms } from './wire/payment-terms.ts'
import type { PricedRequest } from './wire/request-binding.ts'

export interface PaymentsDeps extends PaymentContext {
  readonly describe: (endpoint: string) => Pick<Offer, 'description' | 'mimeType'>
  readonly lowestPriceMicros: number
}

/** Every part of payments, created once and in order. Parts that need a chain are undefined without an RPC. */
export async function createPayments(deps: PaymentsDeps): Promise<Payments> {
  const { settings, store, clock, log } = deps
  const { replayWindowMs, maxAgeMs: unheardMs } = settings
  const firstStartMs = Number(await store.keyValues.setOnce('created_at_ms', String(clock.now())))
  const ledger = createLedger({ store, clock, leaseOwner: store.peers.ownName, replayWindowMs, unheardMs })
  const chain = openChain(settings, clock)
  const { account, settler } = openSettler(deps, chain)
  const resolver = createSettlementResolver(deps, settings.chainId, chain)
  const checkReorg = chain && createReorgCheck(deps, chain)
  const verificationLimiter = createVerificationLimiter(clock, deps.processes)
  const waits = createPaymentWaits(ledger, deps.clients.warn)
  const findSigner = createSignerFinder(chain, verificationLimiter)
  const judging = { chain, verificationLimiter, findSigner, checkReorg, firstStartMs }
  const parts: PaymentParts = { ...deps, ...judging, ledger, waits, resolver }
  const maintenance = createMaintenance(parts, account)
  const transfers = createTransferPayments(parts)
  const authorizations = settler && createAuthorizationPayments({ ...parts, settler })
  const cachedTerms = createTermsCache(deps)

  /** Not while amounts would mean something else: then no transfer is taken either. */
  function canSell(): boolean {
    return maintenance.check().state !== 'wrong-token'
  }

  function canSettle(): boolean {
    const { state } = maintenance.check()
    return authorizations !== undefined && state !== 'wrong-domain' && state !== 'wrong-token'
  }

  function takesExact(): boolean {
    return canSettle() && account?.gas.problem() === undefined
  }

  function offerFor({ method, url, subject, priceMicros, endpoint }: PricedRequest): Offer {
    const request = { method, url, ...(subject !== undefined && { subject }), priceMicros, endpoint }
    return { ...request, ...deps.describe(endpoint) }
  }

  function termsFor(offer: Offer, error: string): PaymentTerms {
    return canSell() ? cachedTerms(offer, error, takesExact()) : noTerms
  }

  async function decide(offered: Exclude<OfferedPayment, { kind: 'none' }>, purchase: Purchase) {
    if (!canSell())
      throw new OutcomeUnknown('payments_unavailable', 'Nothing can be sold here at this moment.', 30)
    if (offered.kind === 'refused') return offered
    if (offered.kind === 'transfer') return await transfers.payByHash(offered.txHash, offered.proof, purchase)
    if (authorizations === undefined) return refuse('unsupported_scheme')
    // While token or chain differ from the settings, no signature can be judged.
    if (!canSettle())
      throw new OutcomeUnknown('payments_unavailable', 'Signatures cannot be settled now.', 30)
    return await authorizations.pay(offered, purchase)
  }

  async function authorize(request: PayableRequest): Promise<PaymentOutcome> {
    // Most calls offer none: they cost no hash, and no system call for the address.
    const offered = parsePayment(request.headers, request, deps)
    await maintenance.refresh(offered.kind !== 'none')
    if (offered.kind === 'none') return offered
    const offer = offerFor(request)
    const purchase = createPurchase(offer, request)
    deps.clients.note(purchase.clientAddress)
    try {
      // Releases that waited for the store are written first: their money is available to this request.
      await store.deferred.flush()
      const decision = await repeatWhileLocked(store, () => decide(offered, purchase))
      if (decision.kind === 'refused') return decision
      if (decision.kind === 'replay') {
        const { unheardChargeId: id, payment, answer } = decision
        if (id !== undefined)
          await store.deferred.add(() => ledger.steps.hear(id), { locks: [payerLock(payment)] })
        return { kind: 'replayed', response: responseOf(answer) }
      }
      const payment = createPaymentAuthorization(decision, parts, (code, headers) => {
        const about = { code, detail: paymentReasons[code], baseUrl: request.baseUrl, headers }
        return paymentRequiredResponse({ ...about, terms: termsFor(offer, code) })
      })
      return { kind: 'authorized', payment }
    } catch (error) {
      const unknown = toUnknown(error)
      if (unknown === undefined) throw error
      log.warn('a payment could not be decided', { code: unknown.code, problem: unknown.message })
      return { kind: 'unknown', error: unknown }
    }
  }

  async function recheck(idOrHash: string): Promise<void> {
    const { chainId } = settings
    const ofId = await store.payments.byId(idOrHash)
    const payments = ofId ? [ofId] : await store.payments.byTransaction(chainId, idOrHash.toLowerCase())
    for (const payment of payments) {
      if (payment.state !== 'settled' && payment.state !== 'reorged') continue
      if (payment.chainId !== chainId) continue
      const check = async () => void (await checkReorg?.(payment, payment.amountMicros))
      await repeatWhileLocked(store, check).catch((error: unknown) => {
        if (toUnknown(error) === undefined) throw error
      })
    }
  }

  return {
    authorize,
    canSell,
    terms: (request, error) => termsFor(offerFor(request), error),
    reconcile: maintenance.reconcile,
    recheck,
    explain: createTransactionExplainer(deps, chain),
    start: maintenance.start,
    stop: maintenance.stop,
    status: async () => ({
      problems: maintenance.problems(),
      settle: settings.settle,
      takesExact: takesExact(),
      settlerAddress: account?.address,
      settlerGasWei: await account?.gas.balanceWei().catch(() => undefined),
    }),
  }
}

/** An account is there where this server pays gas itself. */
function openSettler(deps: PaymentsDeps, chain: Chain | undefined) {
  const { settle, settlerKey, facilitator } = deps.settings
  if (settle === 'self' && settlerKey !== undefined && chain !== undefined) {
    const account = createSettlerAccount(deps, chain.rpc, settlerKey)
    return { account, settler: createSelfSettler({ ...deps, chain, account }) }
  }
  if (settle !== 'facilitator' || facilitator === undefined) return {}
  return { settler: createFacilitatorSettler({ ...deps, facilitator, chain }) }
}

const cachedTermsMax = 500

/** Payment terms, cached for one second: many clients at one URL get the same terms. */
function createTermsCache(deps: PaymentContext) {
  const cached = new LRUCache<string, PaymentTerms>({ max: cachedTermsMax })

  return (offer: Offer, code: string, takesExact: boolean): PaymentTerms => {
    const second = Math.floor(deps.clock.now() / 1000)
    const { priceMicros, description, method, url, subject = '' } = offer
    const name = `${second} ${takesExact} ${code} ${priceMicros} ${description} ${method} ${subject} ${url}`
    const terms = cached.get(name) ?? paymentTerms(offer, code, { ...deps, takesExact, nowMs: second * 1000 })
    cached.set(name, terms)
    return terms
  }
}
