import type { Refusal } from '../access/authorization.ts'
import { type PaymentTerms, paymentRequiredResponse } from '../payments/wire/payment-required.ts'
import { setQuota } from './quota-headers.ts'
import type { RequestContext } from './request-context.ts'

/** The 402 of a refused request, with the quota that is left. */
export function paymentRequired(
  { code, detail, headers, quota }: Refusal,
  terms: PaymentTerms,
  { baseUrl }: RequestContext,
): Response {
  const response = paymentRequiredResponse({ code, detail, baseUrl, terms, headers })
  if (quota) setQuota(response.headers, quota)
  return response
}
