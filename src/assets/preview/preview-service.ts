import { LRUCache } from 'lru-cache'
import { WaitEnded } from '../../lib/waiter.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { operatorRequester, type Requester } from '../../web/requester.ts'
import { CachedSource, createSourceCache, type SourceRequest } from '../../web/source-cache.ts'
import { checkUrl, createAddressPolicy } from '../../web/url-rules.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { type FreshPreview, fetchPreview } from './fetch-preview.ts'
import type { Preview } from './preview.ts'

export interface PreviewRequest {
  readonly url: string
  readonly lang?: string
  readonly fresh?: boolean
  readonly requester?: Requester
  /** Called before the page is fetched for this request alone. An error that it throws is the result. */
  readonly beforeRead?: () => void
}

export interface PreviewServiceOptions {
  readonly fetcher: WebFetcher
  readonly allowPorts?: readonly number[]
  /** Address ranges beyond the public internet to which links of a page may lead. */
  readonly allowCidrs?: readonly string[]
  readonly now: () => number
  readonly cacheBytesMax?: number
}

export function createPreviewService(options: PreviewServiceOptions) {
  const { fetcher, allowCidrs, now, cacheBytesMax = 16 * 1_048_576 } = options
  const { isAllowlisted: allowsAddress } = createAddressPolicy(allowCidrs)
  const memory = new LRUCache<string, CachedPreview>({
    maxSize: cacheBytesMax,
    maxEntrySize: 262_144,
    sizeCalculation: ({ value }, key) => 512 + key.length + (value ? JSON.stringify(value).length * 2 : 0),
  })
  const sources = createSourceCache<FreshPreview, CachedPreview, FetchRequest>({
    now,
    memory,
    freshMs: ({ ttlSeconds }) => ttlSeconds * 1_000,
    retryMs: failureMs,
    read: (_, { url, lang }, onBehalfOf) =>
      fetchPreview(url, { fetcher: onBehalfOf(fetcher), now, allowsAddress, lang }),
    saysSomething: ({ reason }) => reason !== 'too_complex',
  })

  function sourceOf({ url, lang }: Pick<PreviewRequest, 'url' | 'lang'>): CachedPreview {
    const key = `${lang ?? ''} ${url}`
    return memory.get(key) ?? new CachedSource(key)
  }

  function toPreview({ value, readAtMs }: CachedPreview, state: Preview['cache']['state']): Preview {
    const { ttlSeconds, isUnpaidPart: _, ...fields } = value as FreshPreview
    const age = Math.max(0, Math.floor((now() - readAtMs) / 1000))
    return { ...fields, cache: { state, age, ttl: ttlSeconds } }
  }

  async function fetchNow(source: CachedPreview, request: FetchRequest): Promise<CachedPreview> {
    const fetched = await sources.read(source, request)
    if (fetched.failure !== undefined) throw fetched.failure
    return fetched
  }

  return {
    /** Undefined where `preview` would fetch the page. Throws FetchFailure for an invalid URL and one that failed just now. */
    peek(request: PreviewRequest): Preview | undefined {
      const { href: url } = checkUrl(request.url, options)
      if (request.fresh) return undefined
      const source = sourceOf({ ...request, url })
      const failure = source.recentFailure(now(), failureMs)
      if (sources.isFresh(source, failure === undefined ? revalidateMs(source) : staleIfErrorMs))
        return toPreview(source, sources.isFresh(source) ? 'hit' : 'stale')
      if (failure !== undefined) throw failure
      return undefined
    },

    async preview({ url: rawUrl, fresh = false, requester = operatorRequester, ...rest }: PreviewRequest) {
      const request = { ...rest, requester, url: checkUrl(rawUrl, options).href }
      const source = sourceOf(request)
      const isUsable = !fresh && isWhole(source, request)
      if (isUsable && sources.isFresh(source)) return toPreview(source, 'hit')
      if (isUsable && sources.isFresh(source, revalidateMs(source))) {
        sources.refresh(source, () => request)
        return toPreview(source, 'stale')
      }
      try {
        const failure = fresh ? undefined : source.recentFailure(now(), failureMs)
        if (failure !== undefined) throw failure
        const fetched = await fetchNow(source, request)
        return toPreview(isWhole(fetched, request) ? fetched : await fetchNow(fetched, request), 'miss')
      } catch (error) {
        const isExpected = error instanceof FetchFailure || error instanceof WaitEnded
        if (isUsable && isExpected && sources.isFresh(source, staleIfErrorMs))
          return toPreview(source, 'stale')
        throw error
      }
    },
  }
}

type CachedPreview = CachedSource<FreshPreview>

interface FetchRequest extends SourceRequest, Pick<PreviewRequest, 'url' | 'lang'> {}

/** Returns whether nothing is left out that the requester gets: less of a page is read where nothing pays for it. */
function isWhole({ value }: CachedPreview, { requester }: SourceRequest): boolean {
  return value?.isUnpaidPart !== true || requester.kind === 'unpaid'
}

/** A page that was cut is read again instead. */
function revalidateMs({ value }: CachedPreview): number {
  return value?.truncated === true ? 0 : 86_400_000
}

const staleIfErrorMs = 7 * 86_400_000
const failureMs = 60_000
