import type { Granted } from '../access/authorization.ts'
import type { AssetHead } from '../assets/kit/producer.ts'
import { type Encoding, isCompressible } from './compression.ts'
import { etagOf } from './conditional.ts'
import { setQuota } from './quota-headers.ts'
import { completeHeaders, inertSvg } from './response-headers.ts'

/** Everything that decides the headers of an asset, except for values that differ from response to response. */
export interface AssetHeaderInput {
  readonly path: string
  readonly contentType: string
  readonly cacheControl: string
  readonly encoding?: Encoding | undefined
  /** Headers that tell what the asset was made from. */
  readonly source?: Readonly<Record<string, string>> | undefined
  /** Who granted a metered call. */
  readonly grant?: Pick<Granted, 'mode' | 'quota'>
}

/** Returns the headers that a 200, a HEAD, a 304 and a free response of an asset have in common. */
export function assetHeaders(input: AssetHeaderInput): Headers {
  const { path, contentType, cacheControl, encoding, source, grant } = input
  const headers = new Headers({
    'content-type': contentType,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': cacheControl,
    ...source,
  })
  if (contentType.startsWith('image/svg+xml')) headers.set('content-security-policy', inertSvg)
  if (isCompressible(contentType)) headers.set('vary', 'Accept-Encoding')
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  if (grant) headers.set('x-auth-mode', grant.mode)
  if (grant?.quota) setQuota(headers, grant.quota)
  completeHeaders(headers, path)
  return headers
}

/** One rendered asset, as its headers name it. */
export type NamedAsset = Pick<AssetHead, 'filename'> & { readonly encoding?: Encoding | undefined }

/** Adds the headers that name the asset. The tag is undefined where its bytes are not known yet. */
export function nameAsset(
  headers: Headers,
  tag: string | undefined,
  { filename, encoding }: NamedAsset,
): Headers {
  headers.set('content-disposition', `inline; filename="${filename}"`)
  if (tag === undefined) headers.delete('etag')
  else headers.set('etag', etagOf(tag, encoding))
  return headers
}
