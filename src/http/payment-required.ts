import type { Refusal } from '../access/authorization.ts'
import { setQuota } from './quota-headers.ts'
import type { RequestContext } from './request-context.ts'

/** What payments add to a 402 once a wallet is configured. */
export interface PaymentTerms {
  readonly accepts: readonly unknown[]
  readonly transfer?: unknown
  readonly headers: Readonly<Record<string, string>>
}

export const noTerms: PaymentTerms = { accepts: [], headers: {} }

/** The 402 in the form that x402 clients read, with the way out in words for people. */
export function paymentRequired(
  refusal: Refusal,
  terms: PaymentTerms,
  { baseUrl }: RequestContext,
): Response {
  const headers = new Headers({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...terms.headers,
    ...refusal.headers,
  })
  if (refusal.quota) setQuota(headers, refusal.quota)
  const body = {
    x402Version: 1,
    error: refusal.code,
    detail: refusal.detail,
    accepts: terms.accepts,
    ...(terms.transfer !== undefined && { transfer: terms.transfer }),
    upgrade: `${baseUrl}/api/upgrade`,
    docs: `${baseUrl}/docs/errors#${refusal.code}`,
  }
  return new Response(JSON.stringify(body), { status: 402, headers })
}
