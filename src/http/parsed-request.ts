import { hash } from 'node:crypto'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import type { Granted } from '../access/authorization.ts'
import { type Credentials, readCredentials } from '../access/credentials.ts'
import type { Asset } from '../catalog.ts'
import { invalidQuery, type ParameterError } from '../errors.ts'
import { choice } from '../lib/fields.ts'
import type { Body } from './body.ts'
import type { Encoding } from './compression.ts'
import { type Decoded, decodeQuery } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

/** What is known of a product before it is made: a pure function of the query. */
export interface ProductHead {
  readonly contentType: string
  readonly filename: string
}

/** A finished answer of an asset. */
export interface RenderedAsset extends ProductHead {
  readonly body: Body
  /** How the body is compressed; undefined as it is. */
  readonly encoding?: Encoding
}

/** How an asset is made. */
export interface Producer<Query extends TObject = TObject> {
  readonly asset: Asset<Query>
  /** Changes whenever equal parameters may give other bytes: it is part of cache keys and ETags. */
  readonly engineVersion: string
  /** Costs next to nothing: HEAD is answered with it, free of charge. */
  describe(query: Static<Query>): ProductHead
  /** Never called for HEAD. */
  produce(query: Static<Query>, context: RequestContext): Body | Promise<Body>
}

/** How an asset is answered that changes by itself, such as a page of somebody else: nothing is kept, no ETag names it. */
export interface LiveProducer<Query extends TObject = TObject> {
  readonly asset: Asset<Query>
  readonly engineVersion: string
  /**
   * The answer, without what every metered answer carries. What it throws is not charged. For HEAD it asks no site:
   * a body of null then stands for one that was not made.
   */
  answer(query: Static<Query>, context: RequestContext, granted: Granted): Promise<Response>
}

export type AnyProducer = Producer | LiveProducer

/** A valid request for an asset. A pure function of path and raw query, so it can be remembered by them. */
export interface ParsedRequest {
  readonly producer: AnyProducer
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
export function createRequestParser(producers: readonly AnyProducer[]) {
  const remembered = new LRUCache<string, ParsedRequest>({
    maxSize: rememberedBytes,
    sizeCalculation: (_, target) => bytesOf(target),
  })
  const byPath = Map.groupBy(producers.flatMap(variantsOf), ({ path }) => path)
  const choosers = new Map([...byPath].map(([path, here]) => [path, chooserOf(here)]))

  /** Throws the `Problem` that names every wrong parameter. */
  function read({ path, rawQuery, logFields: notes }: RequestContext): ParsedRequest {
    const choose = choosers.get(path)
    if (choose === undefined) throw new Error(`Nobody answers at ${path}.`)
    const credentials = readCredentials(rawQuery)
    const wrongCredentials = 'errors' in credentials ? credentials.errors : []
    const variant = choose(rawQuery)
    if ('errors' in variant) throw invalidQuery([...variant.errors, ...wrongCredentials])
    const { producer, presets } = variant
    notes.asset = producer.asset.id
    const decoded = decodeQuery(producer.asset.query, rawQuery, presets)
    const errors = [...everythingWrong(producer.asset, decoded), ...wrongCredentials]
    if (errors.length > 0 || 'errors' in decoded || 'errors' in credentials) throw invalidQuery(errors)
    return callOf(producer, decoded.value, credentials)
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

/** One path at which one producer answers. */
interface Variant {
  readonly path: string
  readonly producer: AnyProducer
  readonly presets: Readonly<Record<string, string>>
}

function variantsOf(producer: AnyProducer): Variant[] {
  const { path, alternatives = [] } = producer.asset
  return [
    { path, producer, presets: {} },
    ...alternatives.map((other) => ({ path: other.path, producer, presets: other.defaults })),
  ]
}

type Choose = (rawQuery: string) => Variant | { readonly errors: readonly ParameterError[] }

/** Who answers at a path: the one that is there, or by `kind` where several assets share it. */
function chooserOf(here: readonly Variant[]): Choose {
  const byKind = new Map(here.map((variant) => [variant.producer.asset.kind, variant]))
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

function callOf(
  producer: AnyProducer,
  decoded: Readonly<Record<string, unknown>>,
  credentials: Credentials,
): ParsedRequest {
  const { cacheSeconds, ...query } = decoded
  const key = `${producer.asset.id} ${producer.engineVersion} ${JSON.stringify(query)}`
  const tag = hash('sha256', key, 'base64url').slice(0, 22)
  return {
    producer,
    query,
    credentials,
    key,
    tag,
    cacheSeconds: cacheSeconds as number | undefined,
    isRemembered: false,
  }
}
