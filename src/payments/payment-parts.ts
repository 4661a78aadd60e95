import { repeatWhileLocked } from '../store/retry-while-locked.ts'
import { createAuthorizationPayments } from './authorization-payments.ts'
import { type Chain, openChain } from './chain/chain.ts'
import { createSignatureChecker, createSignerFinder } from './chain/signature-checker.ts'
import { createTransferVerifier } from './chain/transfer-verifier.ts'
import { createVerificationLimiter } from './chain/verification-limiter.ts'
import { createLedger } from './ledger/ledger.ts'
import type { PaymentContext } from './payment-context.ts'
import { createPaymentWaits } from './payment-waits.ts'
import { createFacilitatorSettler } from './settle/facilitator-settler.ts'
import { createMaintenanceLoop } from './settle/maintenance-loop.ts'
import { createOrphanRelease, createOrphanWatch } from './settle/orphan-charges.ts'
import { createReconciler } from './settle/reconciler.ts'
import { createReorgCheck } from './settle/reorg-check.ts'
import { createSelfSettler } from './settle/self-settler.ts'
import { createSettlementResolver } from './settle/settlement-resolver.ts'
import type { Settler } from './settle/settler.ts'
import { createSettlerAccount, type SettlerAccount } from './settle/settler-account.ts'
import { createTransferPayments } from './transfer-payments.ts'
import type { PaymentTerms } from './wire/payment-required.ts'
import { type Offer, paymentTerms } from './wire/payment-terms.ts'

export interface PaymentsDeps extends PaymentContext {
  /** Describes the offer under an endpoint's name. */
  readonly describe: (endpoint: string) => Pick<Offer, 'description' | 'mimeType'>
  /** The price of the cheapest call. */
  readonly lowestPriceMicros: number
}

export type PaymentParts = Awaited<ReturnType<typeof createPaymentParts>>

/** Every part of payments, created once and in order. Parts that need a chain are undefined without an RPC. */
export async function createPaymentParts(deps: PaymentsDeps) {
  const { settings, store, clock } = deps
  const { replayWindowMs, maxAgeMs: unheardMs } = settings
  const firstStartMs = Number(await store.keyValues.setOnce('created_at_ms', String(clock.now())))
  const ledger = createLedger({ store, clock, leaseOwner: store.peers.ownName, replayWindowMs, unheardMs })
  const chain = openChain(settings, clock)
  const { account, settler } = openSettler(deps, chain)
  const resolver = createSettlementResolver({ ...deps, chain })
  const checkReorg = chain && createReorgCheck({ ...deps, chain })
  const verificationLimiter = createVerificationLimiter(clock)
  const checkSignature = createSignatureChecker(chain, verificationLimiter)
  const findSigner = createSignerFinder(chain, verificationLimiter)
  const waits = createPaymentWaits({ ledger, onFull: deps.clients.warn })
  const signatures = { checkSignature, findSigner }
  const shared = {
    ...deps,
    waits,
    ...signatures,
    ledger,
    chain,
    resolver,
    checkReorg,
    firstStartMs,
  }
  const verifyTransfer = chain && createTransferVerifier({ ...shared, chain })
  const reconcileOnce = createReconciler(shared)
  async function reconcile(): Promise<void> {
    await store.peers.alone('reconcile', () => repeatWhileLocked(store, reconcileOnce))
  }
  return {
    ledger,
    chain,
    resolver,
    checkReorg,
    account,
    reconcile,
    orphans: createOrphanWatch(createOrphanRelease(shared)),
    transfers: createTransferPayments({ ...shared, verifyTransfer }),
    authorizations: settler && createAuthorizationPayments({ ...shared, verificationLimiter, settler }),
    maintenance: createMaintenanceLoop({ ...deps, chain, account, reconcile }),
    terms: createTermsCache(deps),
  }
}

/** Who settles signed authorizations, and the account that pays gas, where this server does it by itself. */
function openSettler(
  deps: PaymentsDeps,
  chain: Chain | undefined,
): { readonly account?: SettlerAccount; readonly settler?: Settler } {
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
  let cached = new Map<string, PaymentTerms>()
  let second = 0

  return (offer: Offer, error: string, takesExact: boolean): PaymentTerms => {
    const now = Math.floor(deps.clock.now() / 1000)
    if (now !== second || cached.size >= cachedTermsMax) cached = new Map()
    second = now
    const { priceMicros, description, method, url, subject = '' } = offer
    const name = `${takesExact} ${error} ${priceMicros} ${description} ${method} ${subject} ${url}`
    const stored = cached.get(name)
    if (stored !== undefined) return stored
    const terms = paymentTerms(offer, error, { ...deps, takesExact, nowMs: now * 1000 })
    cached.set(name, terms)
    return terms
  }
}
