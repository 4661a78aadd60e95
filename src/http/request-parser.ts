import { hash } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import { type Credentials, readCredentials } from '../access/credentials.ts'
import { type Asset, type ServedAsset, sharedPath } from '../assets/asset.ts'
import type { ResolvedQuery } from '../assets/producer.ts'
import { invalidQuery, type ParameterError } from '../errors.ts'
import { choice } from '../lib/fields.ts'
import { version } from '../lib/version.ts'
import { deflateId } from '../raster/deflate-id.ts'
import { pricedSeconds } from './cache-control.ts'
import { etagOf } from './conditional.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { type Decoded, decodeQuery } from './query.ts'
import type { RequestContext } from './request-context.ts'
import type { Target } from './target.ts'

/** What a request is parsed from. */
type ParserContext = Pick<RequestContext, 'path' | 'rawQuery' | 'logFields'>

/** Parses requests for assets: presets, kind, parameters, rules and credentials together, so that all mistakes are named. */
export function createRequestParser(served: readonly ServedAsset[]) {
  const byPath = Map.groupBy(served.flatMap(variantsOf), ({ path }) => path)
  const choosers = new Map([...byPath].map(([path, variants]) => [path, chooserOf(variants)]))

  /** Throws the `Problem` that names every wrong parameter. */
  function read({ path, rawQuery, logFields }: ParserContext): ParsedRequest {
    const chooser = choosers.get(path)
    if (chooser === undefined) throw new Error(`There is no asset at ${path}.`)
    const credentials = readCredentials(rawQuery)
    const wrongCredentials = 'errors' in credentials ? credentials.errors : []
    const variant = chooser.choose(rawQuery)
    if ('errors' in variant) throw invalidQuery([...variant.errors, ...wrongCredentials])
    const { asset, presets } = variant
    logFields.asset = asset.id
    const decoded = decodeQuery(asset.query, rawQuery, presets)
    const resolved = resolve(variant, decoded)
    const unresolved = resolved !== undefined && 'message' in resolved ? [resolved] : []
    const errors = [...mistakesIn(asset, decoded), ...unresolved, ...wrongCredentials]
    if (errors.length > 0 || 'errors' in decoded || 'errors' in credentials) throw invalidQuery(errors)
    const target = { path, rawQuery }
    return parsedRequest(variant, target, decoded.value, credentials, resolved as ResolvedQuery | undefined)
  }

  return {
    /** Every path that assets have, with the parameters that its route declares. */
    routes: [...choosers].map(([path, { parameters }]) => ({ path, parameters })),
    read,
  }
}

/** One path of one asset. */
interface Variant extends ServedAsset {
  readonly path: string
  /** What the parameter `kind` has to be where several assets share the path. */
  readonly kind?: string
  readonly presets: Readonly<Record<string, string>>
}

function variantsOf(served: ServedAsset): Variant[] {
  const { path: main, kind, variants = [] } = served.asset
  const own = [{ path: main, defaults: {} }, ...variants]
  return [
    ...own.map(({ path, defaults: presets }) => ({ ...served, path, presets })),
    ...(kind === undefined ? [] : [{ ...served, path: sharedPath, kind, presets: {} }]),
  ]
}

interface Chooser {
  readonly parameters: TObject
  readonly choose: (rawQuery: string) => Variant | { readonly errors: readonly ParameterError[] }
}

/** Chooses the asset at a path: the only one, or by `kind` where several share it. */
function chooserOf(variants: readonly Variant[]): Chooser {
  const [first] = variants
  if (first === undefined) throw new Error('A path leads to an asset.')
  const byKind = new Map(variants.map((variant) => [variant.kind, variant]))
  const kinds = [...byKind.keys()].filter((kind) => kind !== undefined)
  if (kinds.length === 0) return { parameters: first.asset.query, choose: () => first }
  const parameters = Type.Object({ kind: choice(kinds, { description: 'Which asset' }) })
  return {
    parameters,
    choose(rawQuery) {
      const decoded = decodeQuery(parameters, rawQuery)
      if ('errors' in decoded) return decoded
      return byKind.get(String(decoded.value['kind'])) ?? first
    },
  }
}

/** Returns wrong values, and the rules that the other values break. */
function mistakesIn(asset: Asset, decoded: Decoded<TObject>): readonly ParameterError[] {
  if (!('errors' in decoded)) return brokenRules(asset, decoded.value)
  const wrong = new Set(decoded.errors.map(({ parameter }) => parameter))
  const broken = brokenRules(asset, decoded.right)
  return [...decoded.errors, ...broken.filter(({ parameter }) => !wrong.has(parameter))]
}

function resolve(
  { producer }: Variant,
  decoded: Decoded<TObject>,
): ResolvedQuery | ParameterError | undefined {
  if ('answer' in producer) return undefined
  return producer.resolve?.('errors' in decoded ? decoded.right : decoded.value)
}

function brokenRules(asset: Asset, query: Readonly<Record<string, unknown>>): ParameterError[] {
  return (asset.rules ?? []).flatMap((rule) => rule(query) ?? [])
}

function parsedRequest(
  { asset, producer }: ServedAsset,
  target: Target,
  decoded: Readonly<Record<string, unknown>>,
  credentials: Credentials,
  resolved: ResolvedQuery | undefined,
): ParsedRequest {
  const { cacheSeconds: chosen, ...given } = decoded
  const query = resolved === undefined ? given : { ...given, ...resolved.replaced }
  const encoder = query['format'] === 'png' ? ` ${deflateId}` : ''
  const state = resolved === undefined ? '' : ` ${resolved.key}`
  const key = `${asset.id} ${version}.${asset.revision}${encoder} ${JSON.stringify(query)}${state}`
  const tag = hash('sha256', key, 'base64url').slice(0, 22)
  const cacheSeconds = typeof chosen === 'number' ? chosen : defaultSecondsOf(asset)
  return {
    ...target,
    asset,
    producer,
    query,
    resolved,
    credentials,
    key,
    tag,
    etag: etagOf(tag),
    cacheSeconds,
    isCached: false,
  }
}

function defaultSecondsOf({ priceMicros }: Asset): number {
  return priceMicros === undefined ? 10 : pricedSeconds
}
