/** Terms are in the body for people and x402 v1, in headers for x402 v2 and MPP. */
export interface PaymentTerms {
  readonly accepts: readonly unknown[]
  /** Absent without an RPC: nothing could verify a transfer. */
  readonly transfer?: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** The terms of a server that takes no payments. */
export const noTerms: PaymentTerms = { accepts: [], headers: {} }

export interface PaymentRequired {
  /** A code of the error table. */
  readonly code: string
  readonly detail: string
  readonly baseUrl: string
  readonly terms: PaymentTerms
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The 402 in the form that x402 clients read. */
export function paymentRequiredResponse({ headers, ...required }: PaymentRequired): Response {
  const all = { ...paymentRequiredHeaders(required.terms), ...headers }
  return new Response(JSON.stringify(paymentRequiredBody(required)), { status: 402, headers: all })
}

export function paymentRequiredHeaders(terms: PaymentTerms): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'cache-control': 'no-store', ...terms.headers }
}

/** The body of a 402; the list of all prices has the same form. */
export function paymentRequiredBody({ code, detail, baseUrl, terms }: Omit<PaymentRequired, 'headers'>) {
  return {
    x402Version: 1,
    error: code,
    // The name that every other error has for it.
    code,
    detail,
    accepts: terms.accepts,
    transfer: terms.transfer,
    upgrade: `${baseUrl}/api/upgrade`,
    docs: `${baseUrl}/docs/errors#${code}`,
  }
}
