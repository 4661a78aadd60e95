import { errorCodes, type ProblemCode } from '../../errors.ts'

type Json = Readonly<Record<string, unknown>>

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } }
}

/** Every header that answers may carry, once. */
export const headers = {
  'X-Request-Id': header('Names this request in the log.'),
  'X-Auth-Mode': header('Who paid: demo, key or payment.'),
  'X-Quota-Limit': header('Calls a UTC day, where a quota applies.', 'integer'),
  'X-Quota-Remaining': header('What is left of them.', 'integer'),
  'X-Quota-Reset': header('When it starts again, in unix seconds.', 'integer'),
  'Server-Timing': header('How long the steps took.'),
  ETag: header('Equal parameters, equal tag.'),
  'Cache-Control': header('For how long the answer may be kept.'),
  'Content-Disposition': header('A file name for it.'),
  'Retry-After': header('Seconds to wait.', 'integer'),
  'PAYMENT-REQUIRED': header('The terms for x402 version 2, as base64 JSON.'),
  'WWW-Authenticate': header('The terms for MPP clients.'),
  'PAYMENT-RESPONSE': header('The receipt for x402 version 2.'),
  'X-PAYMENT-RESPONSE': header('The receipt for x402 version 1.'),
  'Payment-Receipt': header('The receipt for MPP clients.'),
} as const

type HeaderName = keyof typeof headers

function headerRefs(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function successHeaders(isMetered: boolean): Json {
  const metered = Object.keys(headers).filter(
    (name) => !['Retry-After', 'PAYMENT-REQUIRED', 'WWW-Authenticate'].includes(name),
  )
  return headerRefs(isMetered ? (metered as HeaderName[]) : ['X-Request-Id', 'Cache-Control'])
}

export const paymentRequired: Json = {
  402: {
    description: 'Nothing granted the call. `error` says why, the rest how to pay.',
    headers: headerRefs(['X-Request-Id', 'PAYMENT-REQUIRED', 'WWW-Authenticate', 'Retry-After']),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
  },
}

/** One response for each status, with what its codes mean. */
export function problemResponses(codes: readonly ProblemCode[]): Json {
  const all: readonly ProblemCode[] = [...codes, 'invalid_host', 'too_large', 'internal']
  const byStatus = Object.groupBy(all, (code) => String(errorCodes[code].status))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [status, problemResponse(group)]),
  )
}

function problemResponse(codes: readonly ProblemCode[]): Json {
  const mayRetry = codes.some((code) => [429, 503].includes(errorCodes[code].status))
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: headerRefs(mayRetry ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}
