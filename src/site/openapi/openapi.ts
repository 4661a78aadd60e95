import { type Asset, sharedPath } from '../../assets/asset.ts'
import type { ProblemCode } from '../../errors.ts'
import { version } from '../../lib/version.ts'
import { parametersOf } from '../reference/parameters.ts'
import type { Operation } from './operation.ts'
import { credentialParameters, mergedParameters, toParameter } from './parameters.ts'
import { headers, paymentRequired, problemResponses, successHeaders } from './responses.ts'
import { schemas } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>

/** Returns the OpenAPI 3.1 document of the whole public interface. */
export function openapi(assets: readonly Asset[], operations: readonly Operation[], origin: string): Json {
  const answers = Object.assign({}, ...assets.map((asset) => asset.answers ?? {}))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mintmark',
      version,
      summary: 'Open Graph cards, badges, avatars, link previews and site files over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    externalDocs: { url: `${origin}/docs` },
    tags: ['assets', 'keys', 'payments', 'machines', 'pages'].map((name) => ({ name })),
    security: [],
    paths: { ...assetPaths(assets), ...otherPaths(operations) },
    components: { schemas: JSON.parse(JSON.stringify({ ...schemas, ...answers })), headers },
  }
}

/** Each path of each asset. At the shared path the assets are one operation, told apart by `kind`. */
function assetPaths(assets: readonly Asset[]): Json {
  const paths = new Set(assets.flatMap(pathsOf))
  return Object.fromEntries(
    [...paths].map((path) => {
      const rows = assets.filter((asset) => pathsOf(asset).includes(path))
      return [path, { get: assetOperation(path, rows) }]
    }),
  )
}

function pathsOf({ path, kind, variants = [] }: Asset): readonly string[] {
  return [path, ...variants.map((variant) => variant.path), ...(kind === undefined ? [] : [sharedPath])]
}

function assetOperation(path: string, rows: readonly Asset[]): Json {
  const isPriced = rows.some(({ priceMicros }) => priceMicros !== undefined)
  const upstream: ProblemCode[] = rows.some(({ isLive }) => isLive)
    ? [
        'blocked_address',
        'blocked_host',
        'blocked_port',
        'self_request',
        'rate_limited',
        'upstream_failed',
        'upstream_timeout',
      ]
    : []
  return {
    operationId: operationId(path),
    tags: ['assets'],
    summary: rows.map(({ summary }) => summary).join('; '),
    parameters: [...mergedParameters(rows), ...(isPriced ? credentialParameters : [])],
    responses: {
      200: { description: 'The asset.', headers: successHeaders(isPriced), content: assetContent(rows) },
      304: { description: 'The caller has it already; nothing was charged.' },
      ...(isPriced && paymentRequired),
      ...problemResponses([
        'invalid_query',
        'busy',
        ...(isPriced ? (['payments_unavailable', 'settlement_pending'] as const) : []),
        ...upstream,
      ]),
    },
  }
}

/** `/api/og.png` as `getApiOgPng`. */
function operationId(path: string): string {
  return `get${path.replace(/[/.](\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

function assetContent(rows: readonly Asset[]): Json {
  const types = new Set(rows.flatMap(({ mediaTypes }) => mediaTypes))
  const jsons = [...new Set(rows.flatMap(({ answers }) => Object.keys(answers ?? {})))]
  return Object.fromEntries([...types].map((type) => [type, { schema: contentSchema(type, jsons) }]))
}

function contentSchema(type: string, jsons: readonly string[]): Json {
  if (type === 'application/json' && jsons.length === 0) return { type: 'object' }
  if (type === 'application/json')
    return jsons.length === 1 && jsons[0] ? ref(jsons[0]) : { anyOf: jsons.map(ref) }
  // In OpenAPI 3.1 bytes are an empty schema beside their media type.
  return /png|zip/.test(type) ? {} : { type: 'string' }
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function otherPaths(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: otherOperation(operation) }
  }
  return paths
}

function otherOperation(operation: Operation): Json {
  const { operationId, tags, summary, query, mediaType, schema, problems = [], canCost } = operation
  return {
    operationId,
    tags,
    summary,
    ...(query && { parameters: parametersOf(query).map((parameter) => toParameter(parameter)) }),
    responses: {
      200: {
        description: summary,
        headers: successHeaders(false),
        content: { [mediaType]: { schema: schema === undefined ? { type: 'string' } : ref(schema) } },
      },
      ...(canCost && paymentRequired),
      ...problemResponses(problems),
    },
  }
}
