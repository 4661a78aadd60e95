import { repeatWhileLocked } from '../store/retry-while-locked.ts'
import { createPaymentAuthorization, responseOf, toUnknown } from './create-payment-authorization.ts'
import { payerLock } from './ledger/locks.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { PaymentParts, PaymentsDeps } from './payment-parts.ts'
import { type PaymentReason, paymentReasons, refuse } from './payment-reasons.ts'
import type { Payments } from './payments.ts'
import { createPurchase, type Decision, type Purchase } from './purchase.ts'
import { type OfferedPayment, parsePayment } from './wire/parse-payment.ts'
import { paymentRequiredResponse } from './wire/payment-required.ts'
import type { Offer } from './wire/payment-terms.ts'

interface Deps extends PaymentsDeps, PaymentParts {
  readonly offerFor: (request: Parameters<Payments['terms']>[0]) => Offer
  readonly termsFor: (offer: Offer, error: string) => ReturnType<Payments['terms']>
  readonly canSell: () => boolean
  /** Whether signed authorizations can be settled. */
  readonly canSettle: () => boolean
}

type Offered = Exclude<OfferedPayment, { readonly kind: 'none' }>

/** Reads the payment that a request offers, and dispatches it by its kind. */
export function createPaymentAuthorizer(deps: Deps): Payments['authorize'] {
  const { store, log, transfers, authorizations, maintenance, canSell, canSettle, clients } = deps

  async function decide(offered: Offered, purchase: Purchase): Promise<Decision> {
    if (!canSell())
      throw new OutcomeUnknown('payments_unavailable', 'Nothing can be sold here at this moment.', 30)
    switch (offered.kind) {
      case 'refused':
        return offered
      case 'transfer':
        return await transfers.payByHash(offered.txHash, offered.proof, purchase)
      case 'authorization':
        if (authorizations === undefined) return refuse('unsupported_scheme')
        // While token or chain differ from the settings, no signature can be judged.
        if (!canSettle())
          throw new OutcomeUnknown('payments_unavailable', 'Signatures cannot be settled now.', 30)
        return await authorizations.pay(offered, purchase)
    }
  }

  return async (request) => {
    // Most calls offer none: they cost no hash, and no system call for the address.
    const offered = parsePayment(request.headers, request, deps)
    await maintenance.refresh(offered.kind !== 'none')
    if (offered.kind === 'none') return offered
    const offer = deps.offerFor(request)
    const purchase = createPurchase(offer, request)
    clients.note(purchase.clientAddress)
    try {
      // Releases that waited for the store are written first: their money is available to this request.
      await store.deferred.flush()
      const decision = await repeatWhileLocked(store, () => decide(offered, purchase))
      if (decision.kind === 'refused') return decision
      if (decision.kind === 'replay') {
        const { unheardChargeId: id, payment, answer } = decision
        if (id !== undefined)
          await store.deferred.add(() => deps.ledger.steps.hear(id), { locks: [payerLock(payment)] })
        return { kind: 'replayed', response: responseOf(answer) }
      }
      const payment = createPaymentAuthorization(decision, {
        ...deps,
        refuse: paymentRequiredFor(offer, request.baseUrl),
      })
      return { kind: 'authorized', payment }
    } catch (error) {
      const unknown = toUnknown(error)
      if (unknown === undefined) throw error
      log.warn('a payment could not be decided', { code: unknown.code, problem: unknown.message })
      return { kind: 'unknown', error: unknown }
    }
  }

  /** The 402 for a response that was produced and must not go out. */
  function paymentRequiredFor(offer: Offer, baseUrl: string) {
    return (code: PaymentReason, headers: Readonly<Record<string, string>>): Response => {
      const terms = deps.termsFor(offer, code)
      return paymentRequiredResponse({ code, detail: paymentReasons[code], baseUrl, terms, headers })
    }
  }
}
