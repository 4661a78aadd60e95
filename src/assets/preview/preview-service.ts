import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../../lib/clock.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import type { Requester } from '../../web/slot-table.ts'
import { checkUrl } from '../../web/url-rules.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { type FreshPreview, fetchPreview } from './fetch-preview.ts'
import type { Preview } from './preview.ts'

export interface PreviewRequest {
  readonly url: string
  /** Sent as Accept-Language. */
  readonly lang?: string
  /** Do not answer from memory. */
  readonly fresh?: boolean
  /** Who asks; ourselves when missing. */
  readonly requester?: Requester
  /** Called when the site must be asked for this request alone; what it throws is thrown on. */
  readonly beforeFetch?: () => void
}

export interface PreviewService {
  /** Rejects with FetchFailure; nobody needs to pay for that. */
  preview(request: PreviewRequest): Promise<Preview>
  /**
   * What `preview` would answer from memory, without asking the site; undefined when it would have to. Throws what
   * is known to be wrong.
   */
  peek(request: Pick<PreviewRequest, 'url' | 'lang' | 'fresh'>): Preview | undefined
}

export interface PreviewServiceOptions {
  readonly fetcher: WebFetcher
  readonly allowPorts?: readonly number[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly cacheBytesMax?: number
}

interface Entry {
  readonly preview: FreshPreview
  readonly storedAtMs: number
}

export function createPreviewService(options: PreviewServiceOptions): PreviewService {
  const { fetcher, allowPorts, now, cacheBytesMax = 16 * 1_048_576 } = options
  const entries = new LRUCache<string, Entry>({
    maxSize: cacheBytesMax,
    maxEntrySize: 262_144,
    sizeCalculation: ({ preview }, key) => key.length + JSON.stringify(preview).length * 2,
  })
  const failures = new LRUCache<string, { readonly failure: FetchFailure; readonly untilMs: number }>({
    max: 2_000,
  })
  const flights = createSingleFlight<Entry>()

  async function load(key: string, { url, lang }: PreviewRequest, from: WebFetcher): Promise<Entry> {
    try {
      const entry = { preview: await fetchPreview(from, url, lang, now), storedAtMs: now() }
      entries.set(key, entry)
      failures.delete(key)
      return entry
    } catch (failure) {
      if (failure instanceof FetchFailure && !isCapacityFailure(failure)) {
        failures.set(key, { failure, untilMs: now() + failureMs })
      }
      throw failure
    }
  }

  function fly(key: string, request: PreviewRequest): Promise<Entry> {
    return flights.join(key, request.requester ?? [], (onBehalfOf) => {
      request.beforeFetch?.()
      return load(key, request, onBehalfOf(fetcher))
    })
  }

  function answer({ preview, storedAtMs }: Entry, state: Preview['cache']['state']): Preview {
    const { ttlSeconds, ...fields } = preview
    const age = Math.max(0, Math.floor((now() - storedAtMs) / 1000))
    return { ...fields, cache: { state, age, ttl: ttlSeconds } }
  }

  function ageMsPastTtl({ preview, storedAtMs }: Entry) {
    return Math.abs(now() - storedAtMs) - preview.ttlSeconds * 1000
  }

  function keyOf(url: string, lang: string | undefined) {
    return `${lang ?? ''} ${url}`
  }

  return {
    peek({ url: raw, lang, fresh = false }) {
      const key = keyOf(checkUrl(raw, allowPorts).href, lang)
      if (fresh) return undefined
      const known = entries.get(key)
      const failed = failures.get(key)
      const failing = failed !== undefined && isStillAhead(failed.untilMs, now(), failureMs)
      const staleMsMax = failing ? staleIfErrorMs : staleWhileRevalidateMs
      if (known !== undefined && ageMsPastTtl(known) < staleMsMax)
        return answer(known, ageMsPastTtl(known) < 0 ? 'hit' : 'stale')
      if (failing) throw failed.failure
      return undefined
    },
    async preview({ url: raw, fresh = false, ...rest }) {
      const request = { ...rest, url: checkUrl(raw, allowPorts).href }
      const key = keyOf(request.url, request.lang)
      const known = entries.get(key)
      const failed = failures.get(key)
      const failing = failed !== undefined && isStillAhead(failed.untilMs, now(), failureMs)
      if (!fresh && known !== undefined && ageMsPastTtl(known) < 0) return answer(known, 'hit')
      if (!fresh && known !== undefined && ageMsPastTtl(known) < staleWhileRevalidateMs) {
        const { beforeFetch: _, ...again } = request
        if (!failing) fly(key, again).catch(() => {})
        return answer(known, 'stale')
      }
      try {
        if (!fresh && failing) throw failed.failure
        return answer(await fly(key, request), 'miss')
      } catch (failure) {
        const isUsable = !fresh && known !== undefined && ageMsPastTtl(known) < staleIfErrorMs
        if (isUsable && failure instanceof FetchFailure) return answer(known, 'stale')
        throw failure
      }
    },
  }
}

const failureMs = 60_000
const staleWhileRevalidateMs = 86_400_000
const staleIfErrorMs = 7 * 86_400_000
