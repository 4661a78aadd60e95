import { hash } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import { type Credentials, readCredentials } from '../access/credentials.ts'
import type { Asset, ServedAsset } from '../assets/asset.ts'
import type { AssetHead } from '../assets/producer.ts'
import { invalidQuery, type ParameterError } from '../errors.ts'
import type { Body } from '../lib/body.ts'
import { choice } from '../lib/fields.ts'
import { version } from '../lib/version.ts'
import type { Encoding } from './compression.ts'
import { type Decoded, decodeQuery } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

/** A finished response body of an asset, with its head. */
export interface RenderedAsset extends AssetHead {
  readonly body: Body
  /** How the body is compressed; undefined if it is not. */
  readonly encoding?: Encoding
}

/** A valid request for an asset. A pure function of path and raw query, so it can be cached by them. */
export interface ParsedRequest extends ServedAsset {
  readonly query: Readonly<Record<string, unknown>>
  readonly credentials: Credentials
  /** Equal keys mean equal bytes. */
  readonly key: string
  /** The bare ETag. */
  readonly tag: string
  /** For how many seconds the caller wants the answer cached, where the asset lets them choose. */
  readonly cacheSeconds?: number | undefined
  /** Whether its URL leads to it without being read anew. */
  isRemembered: boolean
}

/** How much of past requests is remembered. */
const rememberedBytes = 4 * 2 ** 20
function bytesOf(target: string) {
  return 1_000 + 4 * target.length
}

/**
 * Reads requests into calls. `find` needs no router, and does not read what is remembered: neither can change the
 * answer. What nobody asks for twice is not worth remembering, so that is for others to say.
 */
export function createRequestParser(served: readonly ServedAsset[]) {
  const remembered = new LRUCache<string, ParsedRequest>({
    maxSize: rememberedBytes,
    sizeCalculation: (_, target) => bytesOf(target),
  })
  const byPath = Map.groupBy(served.flatMap(variantsOf), ({ path }) => path)
  const choosers = new Map([...byPath].map(([path, here]) => [path, chooserOf(here)]))

  /** Throws the `Problem` that names every wrong parameter. */
  function read({ path, rawQuery, logFields: notes }: RequestContext): ParsedRequest {
    const choose = choosers.get(path)
    if (choose === undefined) throw new Error(`Nobody answers at ${path}.`)
    const credentials = readCredentials(rawQuery)
    const wrongCredentials = 'errors' in credentials ? credentials.errors : []
    const variant = choose(rawQuery)
    if ('errors' in variant) throw invalidQuery([...variant.errors, ...wrongCredentials])
    const { asset, presets } = variant
    notes.asset = asset.id
    const decoded = decodeQuery(asset.query, rawQuery, presets)
    const errors = [...everythingWrong(asset, decoded), ...wrongCredentials]
    if (errors.length > 0 || 'errors' in decoded || 'errors' in credentials) throw invalidQuery(errors)
    return parsedRequest(variant, decoded.value, credentials)
  }

  return {
    paths: [...choosers.keys()],
    read,
    /** The call of a GET request; undefined where no producer answers. Throws like `read`. */
    find(context: RequestContext): ParsedRequest | undefined {
      return remembered.get(targetOf(context)) ?? (choosers.has(context.path) ? read(context) : undefined)
    },
    /** Keeps a call for the next request with the same URL. */
    remember(call: ParsedRequest, context: RequestContext): void {
      if (call.isRemembered) return
      call.isRemembered = true
      remembered.set(targetOf(context), call)
    },
  }
}

/** One path of one asset. */
interface Variant extends ServedAsset {
  readonly path: string
  readonly presets: Readonly<Record<string, string>>
}

function variantsOf({ asset, producer }: ServedAsset): Variant[] {
  const { path, variants = [] } = asset
  return [
    { path, asset, producer, presets: {} },
    ...variants.map((other) => ({ path: other.path, asset, producer, presets: other.defaults })),
  ]
}

type Choose = (rawQuery: string) => Variant | { readonly errors: readonly ParameterError[] }

/** Who answers at a path: the one that is there, or by `kind` where several assets share it. */
function chooserOf(here: readonly Variant[]): Choose {
  const byKind = new Map(here.map((variant) => [variant.asset.kind, variant]))
  const kinds = [...byKind.keys()].filter((kind) => kind !== undefined)
  const schema = Type.Object({ kind: choice(kinds, { description: 'Which asset' }) })
  return (rawQuery) => {
    const kind = kinds.length === 0 ? undefined : decodeQuery(schema, rawQuery)
    if (kind !== undefined && 'errors' in kind) return kind
    const chosen = kind === undefined ? here[0] : byKind.get(String(kind.value['kind']))
    if (chosen === undefined) throw new Error('Nobody answers at this path.')
    return chosen
  }
}

/** Wrong values, and what the rules say of the others. */
function everythingWrong(asset: Asset, decoded: Decoded<TObject>): readonly ParameterError[] {
  if (!('errors' in decoded)) return brokenRules(asset, decoded.value)
  const wrong = new Set(decoded.errors.map(({ parameter }) => parameter))
  const broken = brokenRules(asset, decoded.right)
  return [...decoded.errors, ...broken.filter(({ parameter }) => !wrong.has(parameter))]
}

function brokenRules(asset: Asset, query: Readonly<Record<string, unknown>>): ParameterError[] {
  return (asset.rules ?? []).flatMap((rule) => rule(query) ?? [])
}

function parsedRequest(
  { asset, producer }: ServedAsset,
  decoded: Readonly<Record<string, unknown>>,
  credentials: Credentials,
): ParsedRequest {
  const { cacheSeconds, ...query } = decoded
  const key = `${asset.id} ${version}.${asset.revision} ${JSON.stringify(query)}`
  const tag = hash('sha256', key, 'base64url').slice(0, 22)
  return {
    asset,
    producer,
    query,
    credentials,
    key,
    tag,
    cacheSeconds: cacheSeconds as number | undefined,
    isRemembered: false,
  }
}
