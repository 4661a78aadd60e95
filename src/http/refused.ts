import type { Authorization, Granted } from '../access/authorization.ts'
import { invalidQuery, Problem } from '../errors.ts'
import type { PaymentTerms } from '../payments/wire/payment-required.ts'
import { paymentRequired } from './payment-required.ts'
import type { RequestContext } from './request-context.ts'

/** The answer to a call that was not granted. `termsFor` says how to pay for it, given why it is refused. */
export function answerRefused(
  refused: Exclude<Authorization, Granted>,
  context: RequestContext,
  termsFor: (error: string) => PaymentTerms,
): Response {
  switch (refused.error) {
    case 'replayed':
      return refused.response
    case 'invalid_query':
      throw invalidQuery(refused.errors)
    case 'refused':
      context.logFields.refused = refused.refusal.code
      return paymentRequired(refused.refusal, termsFor(refused.refusal.code), context)
    default:
      throw new Problem(refused.error, refused.detail, {
        headers: { 'retry-after': String(refused.retryAfterSeconds), ...refused.headers },
        cause: refused.cause,
      })
  }
}
