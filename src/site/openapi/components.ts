import { type TSchema, Type } from '@sinclair/typebox'
import { errorCodes, type ProblemCode } from '../../errors.ts'
import {
  anyObject,
  count,
  day,
  instant,
  nullable,
  string,
  strings,
  webAddress,
} from '../../lib/answer-schemas.ts'
import type { JsonObject } from '../../lib/json.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'

interface Credential {
  readonly scheme: JsonObject
  /** The schema of its parameter; undefined for `Authorization`, which OpenAPI has for no parameter. */
  readonly schema?: JsonObject
}

function apiKey(location: 'query' | 'header', name: string, description: string): JsonObject {
  return { type: 'apiKey', in: location, name, description }
}

const text = { type: 'string' }
const unixSeconds = { type: 'integer' }

const free: Readonly<Record<string, Credential>> = {
  demo: {
    scheme: apiKey('query', 'demo', '1 draws on the quota that everybody shares.'),
    schema: { type: 'string', enum: ['1'] },
  },
  key: {
    scheme: apiKey('query', 'key', 'The id of a key; comes with sig and either t or exp.'),
    schema: text,
  },
  t: {
    scheme: apiKey('query', 't', 'Unix seconds, now: the signature is over "<t>.<METHOD> <path>".'),
    schema: unixSeconds,
  },
  exp: {
    scheme: apiKey(
      'query',
      'exp',
      'Unix seconds, up to ten years ahead: the signature is over the whole canonical query.',
    ),
    schema: unixSeconds,
  },
  sig: {
    scheme: apiKey('query', 'sig', 'HMAC-SHA256 with the secret, in lower-case hex.'),
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
}

const paymentCredentials: Readonly<Record<string, Credential>> = {
  payment: {
    scheme: apiKey('header', 'X-PAYMENT', 'A transaction hash, or an x402 version 1 payload.'),
    schema: text,
  },
  paymentSignature: {
    scheme: apiKey('header', 'PAYMENT-SIGNATURE', 'An x402 version 2 payload.'),
    schema: text,
  },
  paymentProof: {
    scheme: apiKey('header', 'X-Payment-Proof', 'Proves who made a transfer.'),
    schema: text,
  },
  mpp: { scheme: apiKey('header', 'Authorization', 'Payment and the credential of an MPP client.') },
}

function credentialsOf(isPaid: boolean): Readonly<Record<string, Credential>> {
  return isPaid ? { ...free, ...paymentCredentials } : free
}

export function securitySchemes(isPaid: boolean): JsonObject {
  return Object.fromEntries(Object.entries(credentialsOf(isPaid)).map(([id, { scheme }]) => [id, scheme]))
}

/** Sets of credentials, any one of which grants a metered call. */
export function meteredSecurity(isPaid: boolean): readonly JsonObject[] {
  const sets = [['demo'], ['key', 't', 'sig'], ['key', 'exp', 'sig']]
  const paid = [['payment'], ['payment', 'paymentProof'], ['paymentSignature'], ['mpp']]
  return [...sets, ...(isPaid ? paid : [])].map((ids) => Object.fromEntries(ids.map((id) => [id, []])))
}

/** The credentials as parameters, because many generators make arguments of parameters only. */
export function credentialParameters(isPaid: boolean): readonly JsonObject[] {
  return Object.values(credentialsOf(isPaid)).flatMap(({ scheme, schema }) =>
    schema === undefined
      ? []
      : [
          {
            name: scheme['name'],
            in: scheme['in'],
            required: false,
            description: scheme['description'],
            schema,
          },
        ],
  )
}

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

const paymentHeaders = {
  'PAYMENT-REQUIRED': header('The terms for x402 version 2, as base64 JSON.'),
  'WWW-Authenticate': header('The terms for MPP clients.'),
  'PAYMENT-RESPONSE': header('The receipt for x402 version 2.'),
  'X-PAYMENT-RESPONSE': header('The receipt for x402 version 1.'),
  'Payment-Receipt': header('The receipt for MPP clients.'),
} as const

export type HeaderName = keyof typeof common | keyof typeof paymentHeaders

/** Every header that answers may carry, once; those of payments where there is a wallet. */
export function headersOf(isPaid: boolean): Readonly<Partial<Record<HeaderName, Header>>> {
  return isPaid ? { ...common, ...paymentHeaders } : common
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

/** Schemas of the JSON answers that are no asset, by their names in the OpenAPI document. */
export const schemas = {
  Problem: Type.Object(
    {
      type: webAddress,
      title: string,
      status: Type.Integer(),
      detail: string,
      code: string,
      errors: Type.Array(
        Type.Object({ parameter: string, message: string, allowed: Type.Optional(strings) }),
      ),
    },
    { additionalProperties: true },
  ),
  PaymentRequired: Type.Object({
    x402Version: Type.Integer(),
    error: string,
    code: string,
    detail: Type.Optional(string),
    accepts: Type.Array(anyObject),
    transfer: Type.Optional(anyObject),
    upgrade: webAddress,
    docs: webAddress,
    payment_link: Type.Optional(webAddress),
  }),
  KeyPair: Type.Object({
    id: string,
    secret: string,
    note: string,
    signed_example: Type.Object({
      endpoint: string,
      payload_to_sign: string,
      unix_seconds: Type.Integer(),
      url: webAddress,
    }),
    examples: strings,
    upgrade: webAddress,
    site: Type.Optional(string),
    expires_at: Type.Optional(instant),
  }),
  Usage: Type.Object({
    key: string,
    plan: Type.Unsafe<'free' | 'unlimited'>({ type: 'string', enum: ['free', 'unlimited'] }),
    day,
    used: count,
    limit: nullable(count),
    remaining: nullable(count),
    resets_at: instant,
    last_7_days: Type.Array(Type.Object({ day, used: count })),
    drawings: Type.Optional(Type.Object({ used: count, limit: nullable(count) })),
    assets: Type.Optional(nullable(Type.Array(Type.String()))),
    over_quota: Type.Optional(count),
    expires_at: Type.Optional(nullable(instant)),
    shares: Type.Optional(
      Type.Array(
        Type.Object({ day, network: string, count, title: nullable(string), url: nullable(string) }),
      ),
    ),
  }),
  UpgradeWays: Type.Object({
    default: nullable(string),
    paths: Type.Array(anyObject),
    detail: Type.Optional(string),
  }),
  Upgraded: Type.Object({ key: string, plan: string, unlimited_until: nullable(instant) }),
  Discovery: anyObject,
  Health: Type.Object({ status: string }),
} as const satisfies Readonly<Record<string, TSchema>>

export type SchemaName = keyof typeof schemas
