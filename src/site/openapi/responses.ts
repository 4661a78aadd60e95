import { errorCodes, type ProblemCode } from '../../errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'

interface Header {
  readonly description: string
  readonly schema: { readonly type: string }
}

function header(description: string, type = 'string'): Header {
  return { description, schema: { type } }
}

const common = {
  'X-Request-Id': header('Names this request in the log.'),
  'X-Auth-Mode': header('Which credentials granted the call.'),
  'X-Quota-Limit': header('Calls a UTC day, where a quota applies.', 'integer'),
  'X-Quota-Remaining': header('What is left of them.', 'integer'),
  'X-Quota-Reset': header('When it starts again, in unix seconds.', 'integer'),
  'X-Card-Source': header(
    'The origin of a card: page, page; picture=none, kept (the page could not be read since), fallback (the host alone, free).',
  ),
  'Server-Timing': header('How long the steps took.'),
  ETag: header('Equal parameters, equal tag.'),
  'Cache-Control': header('For how long the answer may be kept.'),
  'Content-Disposition': header('A file name for it.'),
  Vary: header('What of the request the answer depends on.'),
  'Retry-After': header('Seconds to wait.', 'integer'),
} as const

const ofPayments = {
  'PAYMENT-REQUIRED': header('The terms for x402 version 2, as base64 JSON.'),
  'WWW-Authenticate': header('The terms for MPP clients.'),
  'PAYMENT-RESPONSE': header('The receipt for x402 version 2.'),
  'X-PAYMENT-RESPONSE': header('The receipt for x402 version 1.'),
  'Payment-Receipt': header('The receipt for MPP clients.'),
} as const

export type HeaderName = keyof typeof common | keyof typeof ofPayments

/** Every header that answers may carry, once; those of payments where there is a wallet. */
export function headersOf(isPaid: boolean): Readonly<Partial<Record<HeaderName, Header>>> {
  return isPaid ? { ...common, ...ofPayments } : common
}

export function headerRefs(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The 402 of a metered call. */
export function paymentRequired(isPaid: boolean, hasPicture = false): JsonObject {
  const ways = isPaid ? ', the rest how to pay' : ''
  const terms = isPaid ? (['PAYMENT-REQUIRED', 'WWW-Authenticate', 'Retry-After'] as const) : []
  return {
    402: {
      description: `Nothing granted the call. \`error\` says why${ways}.`,
      headers: headerRefs('X-Request-Id', 'X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset', ...terms),
      content: errorContent('application/json', 'PaymentRequired', hasPicture),
    },
  }
}

/** One response for each status, with what its codes mean. `hasPicture`: an `<img>` gets them as a picture. */
export function problemResponses(codes: readonly ProblemCode[], hasPicture = false): JsonObject {
  const all: readonly ProblemCode[] = [...codes, 'invalid_host', 'too_large', 'internal']
  const byStatus = Object.groupBy(all, (code) => String(errorCodes[code].status))
  const responses = Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [status, problemResponse(group, hasPicture)]),
  )
  // A body that is too large is 413; a URL or headers that are too large, which every method has, 431.
  return { ...responses, 431: problemResponse(['too_large'], hasPicture) }
}

function problemResponse(codes: readonly ProblemCode[], hasPicture: boolean): JsonObject {
  const mayRetry = codes.some((code) => [429, 503].includes(errorCodes[code].status))
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: headerRefs('X-Request-Id', ...(mayRetry ? (['Retry-After'] as const) : [])),
    content: errorContent('application/problem+json', 'Problem', hasPicture),
  }
}

function errorContent(mediaType: string, schema: string, hasPicture: boolean): JsonObject {
  return {
    [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } },
    ...(hasPicture && { [pictureFormats.svg.mediaType]: { schema: { type: 'string' } } }),
  }
}
