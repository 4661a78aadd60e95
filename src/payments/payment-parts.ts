import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { repeatWhileLocked } from '../store/retry-while-locked.ts'
import { createAuthorizationPayments } from './authorization-payments.ts'
import { type ChainAccess, openChain } from './chain/open-chain.ts'
import { createSignatureChecker } from './chain/signature-checker.ts'
import { createTransferVerifier } from './chain/transfer-verifier.ts'
import { createVerificationLimiter } from './chain/verification-limiter.ts'
import { createLeaseOwner } from './ledger/lease-owner.ts'
import { createLedger } from './ledger/ledger.ts'
import type { PaymentSettings } from './payment-settings.ts'
import { createFacilitatorSettler } from './settle/facilitator-settler.ts'
import { createMaintenanceLoop } from './settle/maintenance-loop.ts'
import { createReconciler } from './settle/reconciler.ts'
import { createReorgCheck } from './settle/reorg-check.ts'
import { createSelfSettler } from './settle/self-settler.ts'
import {
  createSettlementCostLog,
  recordResolved,
  type SettlementCostLog,
} from './settle/settlement-cost-log.ts'
import { createSettlementGuard } from './settle/settlement-guard.ts'
import { createSettlementResolver } from './settle/settlement-resolver.ts'
import type { Settler } from './settle/settler.ts'
import { createSettlerAccount, type SettlerAccount } from './settle/settler-account.ts'
import { createTransferPayments } from './transfer-payments.ts'
import type { Offer } from './wire/payment-terms.ts'
import { createTermsCache } from './wire/terms-cache.ts'

export interface PaymentsDeps {
  readonly settings: PaymentSettings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** 32 secret bytes, shared by all our processes. */
  readonly secret: Uint8Array
  /** What is for sale under an endpoint's name. */
  readonly describe: (endpoint: string) => Pick<Offer, 'description' | 'mimeType'>
}

export type PaymentParts = ReturnType<typeof createPaymentParts>

/** Every part of payments, created once and in order. Parts that need a chain are undefined without an RPC. */
export function createPaymentParts(deps: PaymentsDeps) {
  const { settings, store, clock, secret } = deps
  const { replayWindowMs } = settings
  const firstStartMs = Number(store.keyValues.setOnce('created_at_ms', String(clock.now())))
  const ledger = createLedger({ store, clock, leaseOwner: createLeaseOwner(), replayWindowMs })
  const chainAccess = openChain(settings, clock)
  const chain = chainAccess?.chain
  const verifier = chainAccess && createTransferVerifier({ ...chainAccess, settings, clock, firstStartMs })
  const costs = createSettlementCostLog(deps)
  const resolver = recordResolved(createSettlementResolver({ ...deps, chainAccess }), costs, chain)
  const reorgCheck = chainAccess && createReorgCheck({ ...chainAccess, store, clock, settings })
  const verificationLimiter = createVerificationLimiter(clock)
  const signatures = createSignatureChecker({ chain, codes: chainAccess?.codes, verificationLimiter })
  const payment = { ...deps, ledger, signatures, verificationLimiter, firstStartMs, chain, resolver }
  const transfers = createTransferPayments({ ...payment, verifier, reorgCheck })
  const account = openAccount(deps, chainAccess)
  const settler = createSettler(deps, chainAccess, account, costs)
  const authorizations = settler && createAuthorizationPayments({ ...payment, settler })
  const reconcileOnce = createReconciler({ ...deps, ledger, resolver, reorgCheck })
  function reconcile() {
    return repeatWhileLocked(store, reconcileOnce)
  }
  const maintenance = createMaintenanceLoop({ ...deps, chain, account, reconcile })
  const terms = createTermsCache({ settings, secret }, clock)
  return {
    ledger,
    chainAccess,
    resolver,
    reorgCheck,
    transfers,
    account,
    authorizations,
    reconcile,
    maintenance,
    terms,
  }
}

/** The account that pays gas; undefined where this server does not settle by itself. */
function openAccount(deps: PaymentsDeps, chainAccess: ChainAccess | undefined): SettlerAccount | undefined {
  const { settle, settlerKey: key } = deps.settings
  if (settle !== 'self' || key === undefined || chainAccess === undefined) return undefined
  return createSettlerAccount({ ...deps, rpc: chainAccess.rpc, key })
}

function createSettler(
  deps: PaymentsDeps,
  chainAccess: ChainAccess | undefined,
  account: SettlerAccount | undefined,
  costs: SettlementCostLog,
): Settler | undefined {
  const { settle, facilitator } = deps.settings
  if (account !== undefined && chainAccess !== undefined) {
    const guard = createSettlementGuard(deps)
    return createSelfSettler({ ...chainAccess, account, guard, costs, settings: deps.settings })
  }
  if (settle !== 'facilitator' || facilitator === undefined) return undefined
  return createFacilitatorSettler({ ...deps, facilitator, finder: chainAccess?.finder })
}
