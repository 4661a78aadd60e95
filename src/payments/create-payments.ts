import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { repeatWhileLocked } from '../store/retry-while-locked.ts'
import { createAuthorizationPayments } from './authorization-payments.ts'
import { openChain } from './chain/open-chain.ts'
import { createSignatureChecker } from './chain/signature-checker.ts'
import { createTransferVerifier } from './chain/transfer-verifier.ts'
import { createVerificationLimiter } from './chain/verification-limiter.ts'
import { createPaymentAuthorization, responseOf, toUnknown } from './create-payment-authorization.ts'
import { createLeaseOwner } from './ledger/lease-owner.ts'
import { createLedger } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentReason, paymentReasons } from './payment-reasons.ts'
import { refuse } from './payment-refusal.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { PayableRequest, PaymentOutcome, Payments } from './payments.ts'
import { createPurchase, type Decision, type Purchase } from './purchase.ts'
import { createFacilitatorSettler } from './settle/facilitator-settler.ts'
import { createMaintenanceLoop } from './settle/maintenance-loop.ts'
import { createReconciler } from './settle/reconciler.ts'
import { createReorgCheck } from './settle/reorg-check.ts'
import { createSelfSettler } from './settle/self-settler.ts'
import { createSettlementCostLog, recordResolved } from './settle/settlement-cost-log.ts'
import { createSettlementGuard } from './settle/settlement-guard.ts'
import { createSettlementResolver } from './settle/settlement-resolver.ts'
import type { Settler } from './settle/settler.ts'
import { createSettlerAccount, type SettlerAccount } from './settle/settler-account.ts'
import { createTransactionExplainer } from './transaction-explainer.ts'
import { createTransferPayments } from './transfer-payments.ts'
import { type OfferedPayment, parsePayment } from './wire/parse-payment.ts'
import { paymentRequiredResponse } from './wire/payment-required.ts'
import type { Offer } from './wire/payment-terms.ts'
import { createTermsCache } from './wire/terms-cache.ts'

export interface PaymentsDeps {
  readonly settings: PaymentSettings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes that only our own processes know, the same for all of them. */
  readonly secret: Uint8Array
  /** What is for sale under an endpoint's name. */
  readonly describe: (endpoint: string) => Pick<Offer, 'description' | 'mimeType'>
}

export function createPayments({ settings, store, clock, log, secret, describe }: PaymentsDeps): Payments {
  const firstStartMs = Number(store.keyValues.setOnce('created_at_ms', String(clock.now())))
  const ledger = createLedger({
    store,
    clock,
    holder: createLeaseOwner(),
    replayWindowMs: settings.replayWindowMs,
  })
  const chainAccess = openChain(settings, clock)
  const chain = chainAccess?.chain
  const verifier = chainAccess && createTransferVerifier({ ...chainAccess, settings, clock, firstStartMs })
  const costs = createSettlementCostLog({ store, clock, log })
  const resolver = recordResolved(
    createSettlementResolver({ store, clock, settings, chainAccess }),
    costs,
    chain,
  )
  const reorgCheck = chainAccess && createReorgCheck({ ...chainAccess, store, clock, settings })
  const verificationLimiter = createVerificationLimiter(clock)
  const signatures = createSignatureChecker({ chain, codes: chainAccess?.codes, verificationLimiter })
  const transfers = createTransferPayments({
    store,
    ledger,
    settings,
    secret,
    clock,
    verifier,
    reorgCheck,
    signatures,
  })
  const account = openAccount()
  const settler = chooseSettler()
  const authorizations =
    settler &&
    createAuthorizationPayments({
      store,
      ledger,
      settings,
      clock,
      chain,
      resolver,
      settler,
      signatures,
      verificationLimiter,
      firstStartMs,
    })
  const reconcileOnce = createReconciler({ store, ledger, resolver, reorgCheck, settings, clock, log })
  function reconcile() {
    return repeatWhileLocked(store, reconcileOnce)
  }
  const maintenance = createMaintenanceLoop({ settings, store, clock, log, chain, account, reconcile })

  function openAccount(): SettlerAccount | undefined {
    const { settle, settlerKey: key } = settings
    if (settle !== 'self' || key === undefined || chainAccess === undefined) return undefined
    return createSettlerAccount({ rpc: chainAccess.rpc, settings, key, store, clock })
  }

  function chooseSettler(): Settler | undefined {
    const { settle, facilitator } = settings
    if (account !== undefined && chainAccess !== undefined) {
      const guard = createSettlementGuard({ store, clock, settings })
      return createSelfSettler({ ...chainAccess, account, guard, costs, settings })
    }
    if (settle !== 'facilitator' || facilitator === undefined) return undefined
    return createFacilitatorSettler({ facilitator, settings, store, clock, log, finder: chainAccess?.finder })
  }

  const terms = createTermsCache({ settings, secret }, clock)
  function canSettle() {
    return settler !== undefined && maintenance.check().state !== 'bad'
  }
  function takesExact() {
    return canSettle() && account?.problem() === undefined
  }

  async function decide(offered: OfferedPayment, purchase: Purchase): Promise<Decision | undefined> {
    switch (offered.kind) {
      case 'none':
        return undefined
      case 'refused':
        return offered
      case 'transfer':
        return await transfers.payByHash(offered.txHash, offered.proof, purchase)
      case 'login':
        return await transfers.payByLogin(offered.login, purchase)
      case 'authorization':
        if (authorizations === undefined) return refuse('unsupported_scheme')
        // Whether the signature is worth anything cannot be said while the token or the chain is another one.
        if (!canSettle())
          throw new OutcomeUnknown('payments_unavailable', 'Signatures cannot be settled now.', 30)
        return await authorizations.pay(offered, purchase)
    }
  }

  async function authorize(request: PayableRequest): Promise<PaymentOutcome> {
    const { method, url, subject, headers, priceMicros, endpoint, clientAddress } = request
    const about = subject === undefined ? {} : { subject }
    const offer: Offer = { method, url, ...about, priceMicros, ...describe(endpoint) }
    const purchase = createPurchase(offer, endpoint, clientAddress)
    try {
      const offered = parsePayment(headers, offer, { settings, priceMicros, secret, nowMs: clock.now() })
      // What a call that failed gave back is there for the next one.
      store.deferred.flush()
      const decision = await repeatWhileLocked(store, () => decide(offered, purchase))
      if (decision === undefined) return { kind: 'none' }
      if (decision.kind === 'refused') return decision
      if (decision.kind === 'replay') return { kind: 'replayed', response: responseOf(decision.answer) }
      function refuseAnswer(reason: PaymentReason, headers: Readonly<Record<string, string>>) {
        const detail = paymentReasons[reason]
        const baseUrl = new URL(offer.url).origin
        const offered = terms(offer, reason, takesExact())
        return paymentRequiredResponse({ code: reason, detail, baseUrl, terms: offered, headers })
      }
      return {
        kind: 'authorized',
        payment: createPaymentAuthorization(decision, {
          store,
          ledger,
          resolver,
          clock,
          refuse: refuseAnswer,
        }),
      }
    } catch (error) {
      const unknown = toUnknown(error)
      if (unknown === undefined) throw error
      log.warn('a payment could not be decided', { code: unknown.code, problem: unknown.message })
      return { kind: 'unknown', error: unknown }
    }
  }

  return {
    authorize,
    terms({ method, url, subject, priceMicros, endpoint }, error) {
      const about = subject === undefined ? {} : { subject }
      return terms({ method, url, ...about, priceMicros, ...describe(endpoint) }, error, takesExact())
    },
    reconcile,
    async recheck(paymentId) {
      const payment = store.payments.byId(paymentId)
      if (payment?.state !== 'settled' && payment?.state !== 'reorged') return
      if (payment.chainId !== settings.chainId) return
      const look = async () => void (await reorgCheck?.check(payment, payment.amountMicros))
      await repeatWhileLocked(store, look).catch((error: unknown) => {
        if (toUnknown(error) === undefined) throw error
      })
    },
    explain: createTransactionExplainer({ store, settings, chain }),
    start: maintenance.start,
    stop() {
      maintenance.stop()
      chainAccess?.heads.stop()
    },
    status: async () => ({
      problems: maintenance.problems(),
      settle: settings.settle,
      takesExact: takesExact(),
      settlerAddress: account?.address,
      settlerGasWei: await account?.gasWei().catch(() => undefined),
    }),
  }
}
