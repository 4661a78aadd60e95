import { hash } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import { type Credentials, readCredentials, secondsMistake } from '../access/credentials.ts'
import { isKeyId } from '../access/keys.ts'
import { addressSignatureDigits, addressStart, readAddressPath } from '../access/path-address.ts'
import { addressFormats, type ServedAsset, sharedPath } from '../assets/kit/asset.ts'
import type { ResolvedQuery } from '../assets/kit/producer.ts'
import { invalidQuery, type ParameterError, Problem } from '../errors.ts'
import { createTwoGenerationCache } from '../lib/byte-cache.ts'
import { choice } from '../lib/fields.ts'
import { formDecode, queryPairs, queryPairsAsSent } from '../lib/query-pairs.ts'
import { version } from '../lib/version.ts'
import { deflateId } from '../raster/picture-formats.ts'
import { requestCacheBytes } from './cache-bytes.ts'
import { etagOf, pricedSeconds, pricedStaleSeconds } from './cache-control.ts'
import payloadNames from './payload-names.json' with { type: 'json' }
import { type Decoded, decodeQuery } from './query.ts'
import type { ParsedRequest, RequestContext, Target } from './request-context.ts'

type ParserContext = Pick<RequestContext, 'path' | 'rawQuery' | 'logFields'>

/** Parses requests for assets: presets, kind, parameters, rules and credentials together, so that all mistakes are named. */
export function createRequestParser(served: readonly ServedAsset[]) {
  const byPath = Map.groupBy(served.flatMap(variantsOf), ({ path }) => path)
  const choosers = new Map([...byPath].map(([path, variants]) => [path, chooserOf(variants)]))
  const addressed = new Map(served.flatMap(picturesOf))

  function read(context: ParserContext): ParsedRequest {
    return context.path.startsWith(addressStart) ? readAddress(context) : readQuery(context)
  }

  function readQuery({ path, rawQuery, logFields }: ParserContext): ParsedRequest {
    const chooser = choosers.get(path)
    if (chooser === undefined) throw new Error(`There is no asset at ${path}.`)
    const credentials = readCredentials(rawQuery)
    const wrongCredentials = 'errors' in credentials ? credentials.errors : []
    const variant = chooser.choose(rawQuery)
    if ('errors' in variant) throw invalidQuery([...variant.errors, ...wrongCredentials])
    logFields.asset = variant.asset.id
    const pairs = variant.asset.countedPairs?.(queryPairs(rawQuery)) ?? rawQuery
    const decoded = decodeQuery(variant.asset.query, pairs, variant.presets)
    return finish(variant, { path, rawQuery }, decoded, credentials)
  }

  function readAddress({ path, logFields }: ParserContext): ParsedRequest {
    const address = readAddressPath(path)
    const variant = address && addressed.get(`${address.asset}.${address.extension}`)
    if (address === undefined || variant === undefined)
      throw new Problem('not_found', 'There is nothing at this path.')
    logFields.asset = variant.asset.id
    const { pairs, exp, errors } = readPayload(address.payload)
    const parts: ParameterError[] = []
    const digits = `must be ${addressSignatureDigits} lower-case hex digits`
    if (!isKeyId(address.key))
      parts.push({ parameter: 'key', message: 'must be a key id: mk_ and 16 characters' })
    if (!addressSignature.test(address.signature)) parts.push({ parameter: 'signature', message: digits })
    if (parts.length + errors.length > 0) throw invalidQuery([...parts, ...errors])
    const decoded = decodeQuery(variant.asset.query, pairs, variant.presets)
    const signature = { keyId: address.key, sig: address.signature, kind: 'path', unixSeconds: exp } as const
    return finish(variant, { path, rawQuery: '' }, decoded, { demo: false, signature })
  }

  return {
    /** Every path that leads to assets, with the parameters that its route declares. Which addresses are none, `read` says. */
    routes: [
      ...[...choosers].map(([path, { parameters }]) => ({ path, parameters })),
      { path: `${addressStart}*`, parameters: Type.Object({}) },
    ],
    isAsset: (path: string): boolean => choosers.has(path) || path.startsWith(addressStart),
    read,
  }
}

type ReadCredentials = ReturnType<typeof readCredentials>

function finish(variant: Variant, target: Target, decoded: Decoded<TObject>, credentials: ReadCredentials) {
  const { asset, producer } = variant
  const query: Fields = 'errors' in decoded ? decoded.right : decoded.value
  const wrong = 'errors' in decoded ? decoded.errors : []
  const broken = (asset.rules ?? []).flatMap((rule) => rule(query) ?? [])
  const resolved = 'answer' in producer ? undefined : producer.resolve?.(query)
  // A call is granted by a signature or by a site id, whose looks and counts are others.
  const isTwice = query['site'] !== undefined && 'signature' in credentials
  const errors = [
    ...wrong,
    ...broken.filter(({ parameter }) => !wrong.some((each) => each.parameter === parameter)),
    ...meaningMistakes(resolved, credentials),
    ...('errors' in credentials ? credentials.errors : []),
    ...(isTwice ? [siteMistake] : []),
  ]
  if (errors.length > 0 || 'errors' in decoded || 'errors' in credentials) throw invalidQuery(errors)
  return parsedRequest(variant, target, query, credentials, resolved as ResolvedQuery | undefined)
}

const siteMistake = { parameter: 'site', message: 'cannot be combined with a signature: use one of them' }

type Fields = Readonly<Record<string, unknown>>

/** A signed address is refused for a mistake of today only once it is known that it was never answered. */
function meaningMistakes(resolved: ResolvedQuery | ParameterError | undefined, credentials: ReadCredentials) {
  if (resolved === undefined) return []
  if ('message' in resolved) return [resolved]
  const { demo = false, signature } = 'errors' in credentials ? {} : credentials
  const isAddress = (signature?.kind ?? 't') !== 't'
  const { unlessAnswered = [], notByDemo = [] } = resolved
  return [...(isAddress ? [] : unlessAnswered), ...(demo ? notByDemo : [])]
}

interface Variant extends ServedAsset {
  readonly path: string
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

/** The pictures that signed addresses name, by asset and extension: `og.png`. */
function picturesOf(served: ServedAsset): (readonly [string, Variant])[] {
  const { id, path } = served.asset
  return addressFormats(served.asset).map(
    ({ format, extension }) => [`${id}.${extension}`, { ...served, path, presets: { format } }] as const,
  )
}

const addressSignature = new RegExp(`^[0-9a-f]{${addressSignatureDigits}}$`)

function chooserOf(variants: readonly Variant[]) {
  const [first] = variants
  if (first === undefined) throw new Error('A path leads to an asset.')
  const byKind = new Map(variants.map((variant) => [variant.kind, variant]))
  const kinds = [...byKind.keys()].filter((kind) => kind !== undefined)
  if (kinds.length === 0) return { parameters: first.asset.query, choose: () => first }
  const parameters = Type.Object({ kind: choice(kinds, { description: 'Which asset' }) })
  return {
    parameters,
    choose(rawQuery: string) {
      const decoded = decodeQuery(parameters, rawQuery)
      if ('errors' in decoded) return decoded
      return byKind.get(String(decoded.value['kind'])) ?? first
    },
  }
}

function parsedRequest(
  { asset, producer }: ServedAsset,
  target: Target,
  decoded: Fields,
  credentials: Credentials,
  resolved: ResolvedQuery | undefined,
): ParsedRequest {
  const { cacheSeconds: chosen, ...given } = decoded
  const { freshness, free } = resolved ?? {}
  const query = free?.query ?? (resolved === undefined ? given : { ...given, ...resolved.replaced })
  const encoder = query['format'] === 'png' ? ` ${deflateId}` : ''
  const state = resolved === undefined ? '' : ` ${resolved.key}`
  const key = `${asset.id} ${version}.${asset.revision}${encoder} ${JSON.stringify(query)}${state}`
  const tag = hash('sha256', key, 'base64url').slice(0, 22)
  const usualSeconds = freshness?.seconds ?? (asset.priceMicros === undefined ? 10 : pricedSeconds)
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
    cacheSeconds: chosenSeconds(chosen, usualSeconds, resolved),
    staleSeconds: freshness?.staleSeconds ?? pricedStaleSeconds,
    isCached: false,
    withMeaning: (meaning) => parsedRequest({ asset, producer }, target, decoded, credentials, meaning),
  }
}

/** A picture without a part that may be had soon is fresh for no longer, whatever was chosen. */
function chosenSeconds(chosen: unknown, usualSeconds: number, resolved: ResolvedQuery | undefined): number {
  if (typeof chosen !== 'number' || resolved?.free !== undefined) return usualSeconds
  return resolved?.freshness?.staleSeconds === 0 ? Math.min(chosen, usualSeconds) : chosen
}

const payloadBytesMax = 10 * 1024

const refusedNames: ReadonlyMap<string, string> = new Map(Object.entries(payloadNames))

/** Reads the payload of a signed address, without the mistakes in parameters of the asset. `exp` ends it, in unix seconds. */
export function readPayload(payload: string) {
  const text = decodePayload(payload)
  if (typeof text !== 'string') return { pairs: [], exp: undefined, errors: [text] }
  const pairs = queryPairsAsSent(text).filter(({ name, value }) => name !== '' || value !== '')
  const errors: ParameterError[] = []
  const given = new Set<string>()
  for (const { name } of pairs) {
    const refused = given.has(name) ? 'is given more than once' : refusedNames.get(name)
    if (refused !== undefined && !errors.some(({ parameter }) => parameter === name))
      errors.push({ parameter: name, message: refused })
    given.add(name)
  }
  const end = pairs.find(({ name }) => name === 'exp')
  const exp = end && (formDecode(end.value) ?? end.value)
  const mistake = exp === undefined ? undefined : secondsMistake(exp)
  if (mistake !== undefined) errors.push({ parameter: 'exp', message: mistake })
  return { pairs, exp: exp === undefined ? undefined : Number(exp), errors }
}

function decodePayload(payload: string): string | ParameterError {
  if (!/^[\w-]*$/.test(payload) || payload.length % 4 === 1)
    return payloadMistake('must be base64url without padding')
  const bytes = Buffer.from(payload, 'base64url')
  if (bytes.length > payloadBytesMax) return payloadMistake('must hold at most 10 KiB of text')
  // Bits behind the last byte would give one text several spellings.
  if (bytes.toString('base64url') !== payload) return payloadMistake('must be base64url without padding')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return payloadMistake('must be UTF-8 text')
  }
}

function payloadMistake(message: string): ParameterError {
  return { parameter: 'payload', message }
}

/** A repeated request needs neither router nor validation. Callers decide what to `remember`: only what comes again is worth it. */
export function createFrontCache() {
  // The key is the whole URL as the runtime hands it out, because joining path and query again took longer than the rest.
  const cached = createTwoGenerationCache<ParsedRequest>(
    requestCacheBytes.parsedRequests,
    (_, url) => 1_000 + 4 * url.length,
  )
  return {
    /** Returns what the URL was parsed to before; undefined if that is not cached. It may have changed its meaning. */
    recall: (url: string): ParsedRequest | undefined => cached.get(url),
    remember(parsed: ParsedRequest, { request }: { readonly request: Pick<Request, 'url'> }): void {
      const { path } = parsed
      // An address has many spellings, of which only its own is worth an entry.
      if (parsed.isCached || (path.startsWith(addressStart) && !request.url.endsWith(path))) return
      parsed.isCached = true
      cached.set(request.url, parsed)
    },
  }
}
