import type { Granted } from '../access/authorization.ts'
import type { AssetHead } from '../assets/producer.ts'
import { type Encoding, isCompressible } from './compression.ts'
import { etagOf } from './conditional.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import { setQuota, setRemaining } from './quota-headers.ts'
import type { RequestContext } from './request-context.ts'
import { completeHeaders, inertSvg } from './response-headers.ts'

/** The answer to a call that was granted, with every header that it goes out with. */
export function assetResponse(
  call: ParsedRequest,
  product: RenderedAsset,
  granted: Granted,
  { id, logFields: notes }: RequestContext,
  timing: string,
): Response {
  // Set before the response copies them: to ask a response for its headers costs as much as to make it.
  // Only what is asked for again is worth keeping headers for; each new answer writes over those of the last.
  const headers =
    notes.cache === 'hit'
      ? standingHeaders(call, product, granted)
      : named(commonHeaders(call, product, granted), call, product)
  if (granted.quota) setRemaining(headers, granted.quota)
  headers.set('server-timing', timing)
  headers.set('x-request-id', id)
  return new Response(product.body, { headers })
}

/** What HEAD is told of a product that was not made: the headers that `productResponse` would give it. */
export function headResponse(
  call: ParsedRequest,
  described: DescribedProduct,
  granted: Granted,
  { id }: RequestContext,
  timing: string,
): Response {
  const headers = named(commonHeaders(call, described, granted), call, described)
  if (granted.quota) setRemaining(headers, granted.quota)
  headers.set('server-timing', timing)
  headers.set('x-request-id', id)
  return new Response(null, { headers })
}

/** All of a product that its headers tell. */
type DescribedProduct = AssetHead & Pick<RenderedAsset, 'encoding'>

/** Adds to a live answer who let it be made, what is left and how long it took. */
export function withGrant(response: Response, { mode, quota }: Granted, timing: string): Response {
  response.headers.set('x-auth-mode', mode)
  response.headers.set('server-timing', timing)
  if (quota) setQuota(response.headers, quota)
  return response
}

/**
 * The caller has the answer already, under this ETag. Nothing was charged. Caches write the headers of a 304 over
 * those they have, so they must be the product's, though it need not be made to say so.
 */
export function notModified(call: ParsedRequest, etag: string, isPaid: boolean): Response {
  const headers = {
    etag,
    'cache-control': cacheControl(call, isPaid),
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
    ...(call.query['format'] === 'svg' && { 'content-security-policy': inertSvg }),
  }
  return new Response(null, { status: 304, headers })
}

/** A shared cache must not hand out what one caller paid for. */
function cacheControl({ cacheSeconds = 86_400 }: ParsedRequest, isPaid: boolean): string {
  return isPaid
    ? `private, max-age=${cacheSeconds}`
    : `public, max-age=${cacheSeconds}, stale-while-revalidate=604800`
}

/** Headers that were made before, with what they depend on beside the product. */
interface Standing {
  readonly path: string
  readonly cacheSeconds: number | undefined
  readonly mode: Granted['mode']
  readonly limit: number | null | undefined
  readonly resetsAtMs: number | undefined
  readonly headers: Headers
}

/** Whether the headers of an earlier answer are those of this one. */
function fits(earlier: Standing, call: ParsedRequest, { mode, quota }: Granted): boolean {
  return (
    earlier.path === call.asset.path &&
    earlier.cacheSeconds === call.cacheSeconds &&
    earlier.mode === mode &&
    earlier.limit === quota?.limit &&
    earlier.resetsAtMs === quota?.resetsAtMs
  )
}

function standingOf(call: ParsedRequest, { mode, quota }: Granted, headers: Headers): Standing {
  const { path } = call.asset
  const { limit, resetsAtMs } = quota ?? {}
  return { path, cacheSeconds: call.cacheSeconds, mode, limit, resetsAtMs, headers }
}

/** The headers of each product's last answer. */
const standing = new WeakMap<RenderedAsset, Standing>()

/** What most answers with this product have in common, made once. Each answer sets what is its own, and copies. */
function standingHeaders(call: ParsedRequest, product: RenderedAsset, granted: Granted): Headers {
  const known = standing.get(product)
  if (known !== undefined && fits(known, call, granted)) return known.headers
  const headers = named(new Headers(commonHeaders(call, product, granted)), call, product)
  standing.set(product, standingOf(call, granted, headers))
  return headers
}

/** Adds the names of the product. */
function named(headers: Headers, { tag }: ParsedRequest, { filename, encoding }: DescribedProduct): Headers {
  headers.set('content-disposition', `inline; filename="${filename}"`)
  headers.set('etag', etagOf(tag, encoding))
  return headers
}

/** All that the headers depend on which answers of one kind have in common. */
interface Common extends Standing {
  readonly contentType: string
  readonly encoding: Encoding | undefined
}

/** Used last first. A walk past a few costs less than a key for a map. */
const commons: Common[] = []
const commonsMax = 30

/** What answers of one kind have in common, whatever they show. */
function commonHeaders(call: ParsedRequest, product: DescribedProduct, granted: Granted): Headers {
  const { contentType, encoding } = product
  const { mode, quota } = granted
  const at = commons.findIndex(
    (common) =>
      fits(common, call, granted) && common.contentType === contentType && common.encoding === encoding,
  )
  const known = commons[at]
  if (known !== undefined) {
    if (at > 0) commons.unshift(...commons.splice(at, 1))
    return known.headers
  }
  const headers = new Headers({
    'content-type': contentType,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': cacheControl(call, mode === 'payment'),
    'x-auth-mode': mode,
  })
  if (contentType.startsWith('image/svg+xml')) headers.set('content-security-policy', inertSvg)
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  if (isCompressible(contentType)) headers.set('vary', 'Accept-Encoding')
  if (quota) setQuota(headers, quota)
  completeHeaders(headers, call.asset.path)
  if (commons.length >= commonsMax) commons.pop()
  commons.unshift({ ...standingOf(call, granted, headers), contentType, encoding })
  return headers
}
