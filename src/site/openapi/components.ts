import { errorCodes, type ProblemCode } from '../../errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { pictureFormats } from '../../raster/picture-formats.ts'
import type schemas from '../data/component-schemas.json'
import data from '../data/openapi.json' with { type: 'json' }

type Credential = Readonly<Record<'in' | 'name' | 'description', string>> & {
  /** The schema of its parameter; undefined for `Authorization`, which OpenAPI has for no parameter. */
  readonly schema?: JsonObject
}

function credentialsOf(isPaid: boolean): readonly (readonly [id: string, Credential])[] {
  return Object.entries({ ...data.credentials, ...(isPaid && data.paymentCredentials) })
}

export function securitySchemes(isPaid: boolean): JsonObject {
  return Object.fromEntries(
    credentialsOf(isPaid).map(([id, { schema: _, ...scheme }]) => [id, { type: 'apiKey', ...scheme }]),
  )
}

/** Sets of credentials, any one of which grants a metered call. */
export function meteredSecurity(isPaid: boolean): readonly JsonObject[] {
  const sets = [...data.security, ...(isPaid ? data.paymentSecurity : [])]
  return sets.map((ids) => Object.fromEntries(ids.map((id) => [id, []])))
}

/** The credentials as parameters, because many generators make arguments of parameters only. */
export function credentialParameters(isPaid: boolean): readonly JsonObject[] {
  return credentialsOf(isPaid).flatMap(([, { name, in: place, description, schema }]) =>
    schema === undefined ? [] : [{ name, in: place, required: false, description, schema }],
  )
}

export type HeaderName = keyof typeof data.headers | keyof typeof data.paymentHeaders

export function headersOf(isPaid: boolean) {
  return { ...data.headers, ...(isPaid && data.paymentHeaders) }
}

export function headerRefs(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

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

export type SchemaName = keyof typeof schemas
