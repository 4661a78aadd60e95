import type { Authorization, Granted } from '../access/authorization.ts'
import { invalidQuery, Problem } from '../errors.ts'
import type { PaymentTerms } from '../payments/wire/payment-required.ts'
import type { RequestContext } from './request-context.ts'
import { unpaidResponse } from './wire/unpaid-response.ts'

/**
 * Returns the response to a call that was not granted: a 402, or a stored response that is replayed. Throws every other
 * refusal as a `Problem`. `termsFor` returns how to pay for the call, given the code of the refusal.
 */
export function refusedResponse(
  refused: Exclude<Authorization, Granted>,
  context: RequestContext,
  termsFor: (code: string) => PaymentTerms,
): Response {
  switch (refused.error) {
    case 'replayed':
      return refused.response
    case 'invalid_query':
      throw invalidQuery(refused.errors)
    case 'brand_not_allowed':
      throw new Problem(refused.error, refused.detail, { errors: refused.errors })
    case 'refused': {
      const { refusal } = refused
      context.logFields.refused = refusal.code
      return unpaidResponse(refusal, termsFor(refusal.code), context)
    }
    default:
      throw new Problem(refused.error, refused.detail, {
        headers: { 'retry-after': String(refused.retryAfterSeconds), ...refused.headers },
        cause: refused.cause,
      })
  }
}
