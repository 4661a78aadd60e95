import { type Asset, addressFormats, sharedPath } from '../../assets/kit/asset.ts'
import type { ProblemCode } from '../../errors.ts'
import { formatMicros } from '../../lib/human-format.ts'
import type { JsonObject } from '../../lib/json.ts'
import { version } from '../../lib/version.ts'
import { formatOfMediaType } from '../../raster/picture-formats.ts'
import schemas from '../data/component-schemas.json' with { type: 'json' }
import data from '../data/openapi.json' with { type: 'json' }
import { type Parameter, parametersOf } from '../reference/parameters.ts'
import { exampleAddress } from '../reference/signing-vectors.ts'
import {
  credentialParameters,
  type HeaderName,
  headerRefs,
  headersOf,
  meteredSecurity,
  paymentRequired,
  problemResponses,
  securitySchemes,
} from './components.ts'
import type { RouteOperation } from './operation.ts'

export interface Documented {
  readonly assets: readonly Asset[]
  readonly operations: readonly RouteOperation[]
  readonly isPaid: boolean
}

export function openapi({ assets, operations, isPaid }: Documented, origin: string): JsonObject {
  const paths = {
    ...assetPaths(assets, isPaid),
    ...addressPath(assets, isPaid),
    ...otherPaths(operations, isPaid),
  }
  const answers = Object.assign({}, ...assets.map((asset) => asset.answers ?? {}))
  const used = JSON.stringify(paths)
  function usedOnly(section: string, all: Readonly<Record<string, unknown>>): JsonObject {
    return Object.fromEntries(
      Object.entries(all).filter(([name]) => used.includes(`"#/components/${section}/${name}"`)),
    )
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mintmark',
      version,
      summary: 'Open Graph cards, badges, avatars, link previews and site files over HTTP.',
      description: 'Every asset is one GET request. Every path that answers GET answers HEAD too, free.',
      contact: { name: 'Mintmark', url: `${origin}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    externalDocs: { url: `${origin}/docs`, description: 'The reference' },
    tags: tagsOf(operations, isPaid),
    security: [],
    paths,
    components: {
      schemas: JSON.parse(JSON.stringify(usedOnly('schemas', { ...schemas, ...answers }))),
      headers: usedOnly('headers', headersOf(isPaid)),
      securitySchemes: securitySchemes(isPaid),
    },
  }
}

function tagsOf(operations: readonly RouteOperation[], isPaid: boolean): readonly JsonObject[] {
  const used = new Set(['assets', ...operations.flatMap(({ tags }) => tags)])
  return Object.entries(data.tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({
      name,
      description: name === 'payments' && !isPaid ? 'What there is beyond the quota.' : description,
    }))
}

function otherPaths(operations: readonly RouteOperation[], isPaid: boolean): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: otherOperation(operation, isPaid) }
  }
  return paths
}

function otherOperation(operation: RouteOperation, isPaid: boolean): JsonObject {
  const { operationId, tags, summary, query, mediaType, schema, problems = [], canCost, isSigned } = operation
  const content = schema === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${schema}` }
  return {
    operationId,
    tags,
    summary,
    description: summary,
    ...(query && { parameters: parametersOf(query).map((parameter) => toParameter(parameter)) }),
    responses: {
      200: {
        description: summary,
        headers: headerRefs('X-Request-Id', 'Cache-Control'),
        content: { [mediaType]: { schema: content } },
      },
      ...(isSigned && paymentRequired(false)),
      ...(canCost && paymentRequired(isPaid)),
      ...problemResponses(problems),
    },
  }
}

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
    responses: assetResponses(rows, isPaid, 'The asset.', assetContent(rows)),
  }
}

function assetResponses(
  rows: readonly Asset[],
  isPaid: boolean,
  description: string,
  content: JsonObject,
  problems: readonly ProblemCode[] = [],
): JsonObject {
  const isMetered = rows.some(({ priceMicros }) => priceMicros !== undefined)
  const notModified = {
    description: 'The caller has it already; the call is not counted.',
    headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control', 'Vary'),
  }
  return {
    200: { description, headers: successHeaders(rows, isPaid), content },
    ...(rows.some(hasTag) && { 304: notModified }),
    ...(isMetered && paymentRequired(isPaid, true)),
    ...problemResponses([...problemsOf(rows, isMetered && isPaid), ...problems], true),
  }
}

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

function successHeaders(rows: readonly Asset[], isPaid: boolean): JsonObject {
  const names: HeaderName[] = ['X-Request-Id', 'Cache-Control', 'Content-Disposition', 'Vary']
  if (rows.some(hasTag)) names.push('ETag')
  if (rows.some(({ readsPages }) => readsPages)) names.push('X-Card-Source')
  if (rows.some(({ priceMicros }) => priceMicros !== undefined)) {
    names.push('X-Auth-Mode', 'X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset', 'Server-Timing')
    if (isPaid) names.push('PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE', 'Payment-Receipt')
  }
  return headerRefs(...names)
}

function readsOthers({ isLive, readsPages, query }: Asset): boolean {
  return isLive === true || readsPages === true || 'endpoint' in query.properties
}

function problemsOf(rows: readonly Asset[], isPaid: boolean): readonly ProblemCode[] {
  return [
    'invalid_query',
    'busy',
    ...(rows.some(({ query }) => 'brand' in query.properties) ? (['brand_not_allowed'] as const) : []),
    ...(rows.some(({ query }) => 'site' in query.properties) ? (['host_not_allowed'] as const) : []),
    ...(isPaid ? (['payments_unavailable', 'settlement_pending', 'payment_identifier_used'] as const) : []),
    ...(rows.some(readsOthers) ? upstreamProblems : []),
  ]
}

const upstreamProblems: readonly ProblemCode[] = [
  'blocked_address',
  'blocked_host',
  'blocked_port',
  'self_request',
  'rate_limited',
  'upstream_failed',
  'upstream_timeout',
]

function assetContent(rows: readonly Pick<Asset, 'mediaTypes' | 'answers'>[]): JsonObject {
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

export const addressForm = '/i/<asset>/<key>/<payload>/<sig>.<ext>'

function addressPath(assets: readonly Asset[], isPaid: boolean): JsonObject {
  const drawn = assets.filter((asset) => addressFormats(asset).length > 0)
  if (drawn.length === 0) return {}
  const formats = drawn.flatMap(addressFormats)
  const mediaTypes = [...new Set(formats.map(({ mediaType }) => mediaType))]
  const operation = {
    operationId: 'getSignedAddress',
    tags: ['assets'],
    summary: 'A picture by its signed address, for public pages',
    description: 'The signature covers everything before it, so nobody can change what the address shows.',
    parameters: addressParameters({
      asset: drawn.map(({ id }) => id),
      ext: [...new Set(formats.map(({ extension }) => extension))],
    }),
    responses: assetResponses(drawn, isPaid, 'The picture.', assetContent([{ mediaTypes }]), ['not_found']),
  }
  return { [addressForm.replace(/<(\w+)>/g, '{$1}')]: { get: operation } }
}

function addressParameters(enums: Partial<Record<keyof typeof exampleAddress, readonly string[]>>) {
  return Object.entries(data.addressParameters).map(([name, { description, schema }]): JsonObject => {
    const part = name as keyof typeof exampleAddress
    const values = enums[part] && { enum: enums[part] }
    const example = exampleAddress[part]
    return { name, in: 'path', required: true, description, example, schema: { ...schema, ...values } }
  })
}

/** `presets` are the defaults of a path that differ from those of the asset. */
function toParameter(parameter: Parameter, presets: Readonly<Record<string, string>> = {}): JsonObject {
  const { name, required, allowed, aliases, example, lengthMax } = parameter
  const schema = lengthMax === undefined ? parameter.schema : { ...parameter.schema, maxLength: lengthMax }
  const isNumeric = ['integer', 'number'].includes(String(schema['type']))
  const older = aliases.length > 0 ? ` Also as ${aliases.join(', ')}.` : ''
  const isShorter = lengthMax !== parameter.schema['maxLength']
  const form = schema['format'] === undefined && !isShorter ? '' : ` Allowed: ${allowed}.`
  return {
    name,
    in: 'query',
    required,
    description: `${sentences(parameter)}${form}${older}`,
    ...(example !== undefined && { example: isNumeric ? Number(example) : example }),
    schema: name in presets ? { ...schema, default: presets[name] } : schema,
  }
}

/** The parameters of all assets at the shared path. What only some of them have says so, and none of those is required. */
function mergedParameters(rows: readonly Asset[]): readonly JsonObject[] {
  const all = rows.flatMap((row) =>
    parametersOf(row.query).map((parameter) => ({ kind: row.kind ?? row.id, parameter })),
  )
  const byName = Object.groupBy(all, ({ parameter }) => parameter.name)
  const kinds = rows.flatMap(({ kind }) => kind ?? [])
  const schema = { type: 'string', enum: kinds }
  const kind = {
    name: 'kind',
    in: 'query',
    required: true,
    description: 'Which asset.',
    example: kinds[0],
    schema,
  }
  return [kind, ...Object.values(byName).flatMap((group = []) => mergeOne(group))]
}

function mergeOne(group: readonly { readonly kind: string; readonly parameter: Parameter }[]): JsonObject[] {
  const [first] = group
  if (first === undefined) return []
  const schemas = group.map(({ parameter: { schema } }) => schema)
  const notes = group.map(({ kind, parameter }) => `${kind}: ${sentences(parameter)}`)
  const isOne = new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1
  const description = isOne
    ? `For ${group.map(({ kind }) => kind).join(', ')}. ${sentences(first.parameter)}`
    : notes.join(' ')
  return [
    {
      ...toParameter(first.parameter),
      required: false,
      description,
      schema: isOne ? schemas[0] : either(schemas),
    },
  ]
}

/** A schema for whatever one of them allows. Choices become one choice: generators make a name of each of its values. */
function either(schemas: readonly JsonObject[]): JsonObject {
  const choices = schemas.map((schema) => schema['enum'])
  if (choices.every(Array.isArray)) return { type: 'string', enum: [...new Set(choices.flat())] }
  return { anyOf: [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()] }
}

function sentences({ description, whenMissing }: Parameter): string {
  return `${description}.${whenMissing === undefined ? '' : ` When missing: ${whenMissing}.`}`
}
