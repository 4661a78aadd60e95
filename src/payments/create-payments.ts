import { repeatWhileLocked } from '../store/retry-while-locked.ts'
import { toUnknown } from './create-payment-authorization.ts'
import { createPaymentAuthorizer } from './payment-authorizer.ts'
import { createPaymentParts, type PaymentsDeps } from './payment-parts.ts'
import type { Payments } from './payments.ts'
import { createTransactionExplainer } from './transaction-explainer.ts'
import { noTerms } from './wire/payment-required.ts'
import type { Offer } from './wire/payment-terms.ts'
import type { PricedRequest } from './wire/request-binding.ts'

export async function createPayments(deps: PaymentsDeps): Promise<Payments> {
  const { settings, store } = deps
  const parts = await createPaymentParts(deps)
  const { chain, account, maintenance, orphans, checkReorg, reconcile } = parts

  /** Not while amounts would mean something else: then no transfer is taken either. */
  function canSell(): boolean {
    return maintenance.check().state !== 'wrong-token'
  }

  function canSettle(): boolean {
    const { state } = maintenance.check()
    return parts.authorizations !== undefined && state !== 'wrong-domain' && state !== 'wrong-token'
  }

  function takesExact(): boolean {
    return canSettle() && account?.gas.problem() === undefined
  }

  function offerFor({ method, url, subject, priceMicros, endpoint }: PricedRequest): Offer {
    const request = { method, url, ...(subject !== undefined && { subject }), priceMicros, endpoint }
    return { ...request, ...deps.describe(endpoint) }
  }

  function termsFor(offer: Offer, error: string) {
    return canSell() ? parts.terms(offer, error, takesExact()) : noTerms
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
    authorize: createPaymentAuthorizer({ ...deps, ...parts, offerFor, termsFor, canSell, canSettle }),
    canSell,
    terms: (request, error) => termsFor(offerFor(request), error),
    reconcile,
    recheck,
    explain: createTransactionExplainer(deps, chain),
    start() {
      orphans.start()
      return maintenance.start()
    },
    stop() {
      orphans.stop()
      maintenance.stop()
    },
    status: async () => ({
      problems: maintenance.problems(),
      settle: settings.settle,
      takesExact: takesExact(),
      settlerAddress: account?.address,
      settlerGasWei: await account?.gas.balanceWei().catch(() => undefined),
    }),
  }
}
