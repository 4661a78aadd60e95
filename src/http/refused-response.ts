import type { Authorization, Granted } from '../access/authorization.ts'
import { invalidQuery, Problem } from '../errors.ts'
import { type PaymentTerms, paymentRequiredResponse } from '../payments/wire/payment-required.ts'
import { setQuota } from './quota-headers.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Returns the response to a call that was not granted: a 402, or a stored response that is replayed. Throws every other
 * refusal as a `Problem`. `termsFor` returns how to pay for the call, given the code of the refusal.
 */
export function refusedResponse(
  refused: Exclude<Authorization, Granted>,
  { baseUrl, logFields }: RequestContext,
  termsFor: (code: string) => PaymentTerms,
): Response {
  switch (refused.error) {
    case 'replayed':
      return refused.response
    case 'invalid_query':
      throw invalidQuery(refused.errors)
    case 'brand_not_allowed':
      throw new Problem(refused.error, refused.detail)
    case 'refused': {
      const { code, detail, headers, quota } = refused.refusal
      logFields.refused = code
      const response = paymentRequiredResponse({ code, detail, baseUrl, terms: termsFor(code), headers })
      if (quota) setQuota(response.headers, quota)
      return response
    }
    default:
      throw new Problem(refused.error, refused.detail, {
        headers: { 'retry-after': String(refused.retryAfterSeconds), ...refused.headers },
        cause: refused.cause,
      })
  }
}
