import type { Credentials } from '../access/credentials.ts'
import type { ServedAsset } from '../assets/kit/asset.ts'
import type { AssetHead, ResolvedQuery } from '../assets/kit/producer.ts'
import type { Body } from '../lib/body.ts'
import type { Encoding } from './compression.ts'
import type { Target } from './target.ts'

/** A finished response body of an asset, with its head. */
export interface RenderedAsset extends AssetHead {
  readonly body: Body
  /** How the body is compressed; undefined if it is not. */
  readonly encoding?: Encoding
}

/**
 * A valid request for an asset. A pure function of path and raw query while what it was resolved to is current, so it can
 * be cached by them.
 */
export interface ParsedRequest extends ServedAsset, Target {
  readonly query: Readonly<Record<string, unknown>>
  /** The present meaning of query parts that others can change. */
  readonly resolved: ResolvedQuery | undefined
  readonly credentials: Credentials
  /** Equal keys mean equal bytes. */
  readonly key: string
  /** The ETag without quotes and encoding. */
  readonly tag: string
  /** The ETag of what is not compressed. */
  readonly etag: string
  /** For how many seconds the response may be cached: as the caller chose, or by whether the asset is priced. */
  readonly cacheSeconds: number
  /** For how many seconds after that a copy may be used while it is asked for again. */
  readonly staleSeconds: number
  /** This request with a meaning that was found later. */
  withMeaning(resolved: ResolvedQuery): ParsedRequest
  /** Whether it is cached by its URL. */
  isCached: boolean
}
