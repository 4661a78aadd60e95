import type { PaymentContext } from '../payment-context.ts'
import type { PaymentTerms } from './payment-required.ts'
import { type Offer, paymentTerms } from './payment-terms.ts'

const entriesMax = 500

/** Payment terms, cached for one second: many clients at one URL get the same terms. */
export function createTermsCache(deps: PaymentContext) {
  let cached = new Map<string, PaymentTerms>()
  let second = 0

  return (offer: Offer, error: string, takesExact: boolean): PaymentTerms => {
    const now = Math.floor(deps.clock.now() / 1000)
    if (now !== second || cached.size >= entriesMax) cached = new Map()
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
