import type { Asset } from '../../assets/kit/asset.ts'
import type { JsonObject } from '../../lib/json.ts'
import { version } from '../../lib/version.ts'
import data from '../data/openapi.json' with { type: 'json' }
import { parametersOf } from '../reference/parameters.ts'
import { addressPath, assetPaths, toParameter } from './asset-paths.ts'
import {
  headerRefs,
  headersOf,
  paymentRequired,
  problemResponses,
  schemas,
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
