import type { Authorization, Granted } from '../access/authorization.ts'
import { invalidQuery, Problem } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { type PaymentTerms, paymentRequired } from './payment-required.ts'

/** The answer to a call that was not granted. `termsFor` says how to pay for it, given why it is refused. */
export function answerRefused(
  refused: Exclude<Authorization, Granted>,
  exchange: Exchange,
  termsFor: (error: string) => PaymentTerms,
): Response {
  switch (refused.error) {
    case 'replayed':
      return refused.response
    case 'invalid_query':
      throw invalidQuery(refused.errors)
    case 'refused':
      exchange.notes.refused = refused.refusal.code
      return paymentRequired(refused.refusal, termsFor(refused.refusal.code), exchange)
    default:
      throw new Problem(refused.error, refused.detail, {
        headers: { 'retry-after': String(refused.retryAfterSeconds), ...refused.headers },
        cause: refused.cause,
      })
  }
}
