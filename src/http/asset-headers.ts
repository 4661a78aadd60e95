import type { Granted } from '../access/authorization.ts'
import type { AssetHead } from '../assets/kit/producer.ts'
import { type Encoding, isCompressible } from './compression.ts'
import { etagOf } from './conditional.ts'
import { setQuota } from './quota-headers.ts'
import { completeHeaders, inertSvg } from './response-headers.ts'

/** All that the headers of an asset depend on, but for what differs from response to response. */
export interface AssetHeaderInput {
  readonly path: string
  readonly contentType: string
  readonly cacheControl: string
  readonly encoding?: Encoding | undefined
  /** Who granted a metered call. */
  readonly grant?: Pick<Granted, 'mode' | 'quota'>
}

/** Returns the headers that a 200, a HEAD, a 304 and a free response of an asset have in common. */
export function assetHeaders(input: AssetHeaderInput): Headers {
  const { path, contentType, cacheControl, encoding, grant } = input
  const headers = new Headers({
    'content-type': contentType,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': cacheControl,
  })
  if (contentType.startsWith('image/svg+xml')) headers.set('content-security-policy', inertSvg)
  if (isCompressible(contentType)) headers.set('vary', 'Accept-Encoding')
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  if (grant) headers.set('x-auth-mode', grant.mode)
  if (grant?.quota) setQuota(headers, grant.quota)
  completeHeaders(headers, path)
  return headers
}

/** What names one rendered asset in its headers. */
export type NamedAsset = Pick<AssetHead, 'filename'> & { readonly encoding?: Encoding | undefined }

/** Adds the headers that name the asset. */
export function nameAsset(headers: Headers, tag: string, { filename, encoding }: NamedAsset): Headers {
  headers.set('content-disposition', `inline; filename="${filename}"`)
  headers.set('etag', etagOf(tag, encoding))
  return headers
}

interface Template {
  readonly input: AssetHeaderInput
  readonly headers: Headers
}

/** The most recently used first: to compare a few costs less than to build the key of a map. */
const templates: Template[] = []
const templatesMax = 30

/**
 * The same headers from a template shared by all responses that have them, which takes 1.0 µs with the rest of a response
 * instead of 2.4. The caller sets what is its own, always the same names, before `Response` copies the headers.
 */
export function assetHeaderTemplate(input: AssetHeaderInput): Headers {
  const [latest] = templates
  if (latest !== undefined && isSame(latest.input, input)) return latest.headers
  const index = templates.findIndex((template) => isSame(template.input, input))
  const found = templates[index]
  if (found !== undefined) {
    templates.unshift(...templates.splice(index, 1))
    return found.headers
  }
  const headers = assetHeaders(input)
  if (templates.length >= templatesMax) templates.pop()
  templates.unshift({ input, headers })
  return headers
}

/** What differs between the answers with one cached asset, beside what each answer sets. */
interface AssetTemplate {
  readonly cacheControl: string
  readonly mode: Granted['mode']
  readonly limit: number | null | undefined
  readonly resetsAtMs: number | undefined
  readonly headers: Headers
}

const templateOfAsset = new WeakMap<NamedAsset, AssetTemplate>()

/**
 * The template of one cached asset, which has its names too: a repeated request then sets three headers instead of five,
 * which saves 0.25 µs. Path, type, encoding and tag always belong to the asset.
 */
export function cachedAssetHeaderTemplate(
  asset: NamedAsset & Pick<AssetHead, 'contentType'>,
  path: string,
  tag: string,
  cacheControl: string,
  grant: Pick<Granted, 'mode' | 'quota'>,
): Headers {
  const { mode, quota } = grant
  const found = templateOfAsset.get(asset)
  if (
    found !== undefined &&
    found.cacheControl === cacheControl &&
    found.mode === mode &&
    found.limit === quota?.limit &&
    found.resetsAtMs === quota?.resetsAtMs
  )
    return found.headers
  const { contentType, encoding } = asset
  const headers = nameAsset(
    new Headers(assetHeaderTemplate({ path, contentType, cacheControl, encoding, grant })),
    tag,
    asset,
  )
  const { limit, resetsAtMs } = quota ?? {}
  templateOfAsset.set(asset, { cacheControl, mode, limit, resetsAtMs, headers })
  return headers
}

/** `remaining` is left out: each response sets it. */
function isSame(one: AssetHeaderInput, other: AssetHeaderInput): boolean {
  return (
    one.path === other.path &&
    one.contentType === other.contentType &&
    one.cacheControl === other.cacheControl &&
    one.encoding === other.encoding &&
    one.grant?.mode === other.grant?.mode &&
    one.grant?.quota?.limit === other.grant?.quota?.limit &&
    one.grant?.quota?.resetsAtMs === other.grant?.quota?.resetsAtMs
  )
}
