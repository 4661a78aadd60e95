import { type Asset, sharedPath } from '../../assets/kit/asset.ts'
import type { ProblemCode } from '../../errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { formatMicros } from '../../lib/money.ts'
import { formatOfMediaType } from '../../raster/picture-formats.ts'
import { parametersOf } from '../reference/parameters.ts'
import { credentialParameters, meteredSecurity } from './credentials.ts'
import { mergedParameters, toParameter } from './parameters.ts'
import { type HeaderName, headerRefs, paymentRequired, problemResponses } from './responses.ts'

/** The operations of all assets: each at its own paths with its own parameters, and all with a `kind` at the shared one. */
export function assetPaths(assets: readonly Asset[], isPaid: boolean): JsonObject {
  const own = assets.flatMap((asset) => {
    const { path, variants = [] } = asset
    return [{ path, defaults: {} }, ...variants].map(({ path: at, defaults }): [string, JsonObject] => {
      const parameters = parametersOf(asset.query).map((parameter) => toParameter(parameter, defaults))
      return [at, { get: assetOperation(at, [asset], parameters, isPaid) }]
    })
  })
  const sharing = assets.filter(({ kind }) => kind !== undefined)
  if (sharing.length === 0) return Object.fromEntries(own)
  const shared = assetOperation(sharedPath, sharing, mergedParameters(sharing), isPaid)
  return Object.fromEntries([...own, [sharedPath, { get: shared }]])
}

function assetOperation(
  path: string,
  rows: readonly Asset[],
  parameters: readonly JsonObject[],
  isPaid: boolean,
): JsonObject {
  const isMetered = rows.some(({ priceMicros }) => priceMicros !== undefined)
  return {
    operationId: operationId(path),
    tags: ['assets'],
    summary: rows.map(({ summary }) => summary).join('; '),
    description: rows.map((row) => describe(row, isPaid)).join(' '),
    ...(isMetered && { security: meteredSecurity(isPaid) }),
    parameters: [...parameters, ...(isMetered ? credentialParameters(isPaid) : [])],
    responses: {
      200: { description: 'The asset.', headers: successHeaders(rows, isPaid), content: assetContent(rows) },
      ...(rows.some(hasTag) && notModifiedResponse()),
      ...(isMetered && paymentRequired(isPaid, true)),
      ...problemResponses(problemsOf(rows, isMetered && isPaid), true),
    },
  }
}

/** The answer to a caller whose copy is still good. */
export function notModifiedResponse(): JsonObject {
  return {
    304: {
      description: 'The caller has it already; the call is not counted.',
      headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control', 'Vary'),
    },
  }
}

/** `/api/og.png` as `getApiOgPng`. */
function operationId(path: string): string {
  return `get${path.replace(/[/.](\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

function describe({ title, summary, priceMicros }: Asset, isPaid: boolean): string {
  const price = isPaid && priceMicros !== undefined ? `${formatMicros(priceMicros)} USDC a call, ` : ''
  const access = priceMicros === undefined ? 'free' : `${price}or one call of a quota`
  return `${title}: ${summary}. ${access.replace(/^or o/, 'O').replace(/^f/, 'F')}.`
}

/** True if answers have an ETag: those that depend on the parameters alone, and are cached. */
function hasTag({ isLive, priceMicros }: Asset): boolean {
  return isLive !== true && priceMicros !== undefined
}

export function successHeaders(rows: readonly Asset[], isPaid: boolean): JsonObject {
  const names: HeaderName[] = ['X-Request-Id', 'Cache-Control', 'Content-Disposition', 'Vary']
  if (rows.some(hasTag)) names.push('ETag')
  if (rows.some(({ readsPages }) => readsPages)) names.push('X-Card-Source')
  if (rows.some(({ priceMicros }) => priceMicros !== undefined)) {
    names.push('X-Auth-Mode', 'X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset', 'Server-Timing')
    if (isPaid) names.push('PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE', 'Payment-Receipt')
  }
  return headerRefs(...names)
}

/** True if the answer may have to be read from another site. */
function readsOthers({ isLive, readsPages, query }: Asset): boolean {
  return isLive === true || readsPages === true || 'endpoint' in query.properties
}

export function problemsOf(rows: readonly Asset[], isPaid: boolean): readonly ProblemCode[] {
  const upstream = [
    'blocked_address',
    'blocked_host',
    'blocked_port',
    'self_request',
    'rate_limited',
    'upstream_failed',
    'upstream_timeout',
  ] as const
  return [
    'invalid_query',
    'busy',
    ...(rows.some(({ query }) => 'brand' in query.properties) ? (['brand_not_allowed'] as const) : []),
    ...(rows.some(({ query }) => 'site' in query.properties) ? (['host_not_allowed'] as const) : []),
    ...(isPaid ? (['payments_unavailable', 'settlement_pending', 'payment_identifier_used'] as const) : []),
    ...(rows.some(readsOthers) ? upstream : []),
  ]
}

export function assetContent(rows: readonly Pick<Asset, 'mediaTypes' | 'answers'>[]): JsonObject {
  const types = new Set(rows.flatMap(({ mediaTypes }) => mediaTypes))
  const jsons = [...new Set(rows.flatMap(({ answers }) => Object.keys(answers ?? {})))]
  return Object.fromEntries([...types].map((type) => [type, { schema: contentSchema(type, jsons) }]))
}

function contentSchema(type: string, jsons: readonly string[]): JsonObject {
  const [only, ...others] = jsons.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  if (type !== 'application/json')
    return isFile(type) ? { type: 'string', format: 'binary' } : { type: 'string' }
  if (only === undefined) return { type: 'object' }
  return others.length === 0 ? only : { anyOf: [only, ...others] }
}

/** True if programs store the answer as a file. A generated client then gives an SVG as a file too, like every picture. */
function isFile(mediaType: string): boolean {
  return formatOfMediaType(mediaType) !== undefined || mediaType === 'application/zip'
}
