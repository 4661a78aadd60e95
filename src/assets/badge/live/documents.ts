import { dayMs } from '../../../lib/clock.ts'
import { type FailureReason, FetchFailure } from '../../../web/fetch-failure.ts'
import { inBackground, type Requester } from '../../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../../web/single-flight.ts'
import type { WebFetcher } from '../../../web/web-fetcher.ts'
import { type DocumentList, type DocumentOrders, noDocumentList } from '../../document-list.ts'
import { type CachedDocument, createDocumentCache } from './document-cache.ts'
import { fetchDocument } from './fetch-document.ts'
import { type DocumentFormat, type DocumentName, parseDocument } from './parse-document.ts'

export interface DocumentRequest extends DocumentName {
  readonly requester: Requester
  /** Called before the document is fetched for this request alone. An error that it throws is the result. */
  readonly beforeFetch: () => void
}

export interface DocumentsDeps {
  readonly fetcher: WebFetcher
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly documentList?: DocumentList | undefined
}

/** Reads documents of other sites, and keeps them in memory. */
export function createDocuments({ fetcher, now, documentList = noDocumentList }: DocumentsDeps) {
  const cache = createDocumentCache(now)
  const inFlight = createSingleFlight<CachedDocument>()

  async function fetchAndCache(key: string, { url, format }: DocumentName, from: WebFetcher) {
    const known = cache.get(key)
    function record(failure?: FailureReason): void {
      documentList.record(url, { failure, requests: 1 + (known?.uses ?? 0) })
      if (known !== undefined) known.uses = 0
    }
    try {
      const fetched = await fetchDocument(url, format, from, known ?? {})
      if (fetched === undefined && known === undefined) throw new FetchFailure('protocol_error')
      const ttlSeconds = fetched && (await ttlSecondsOf(format, fetched.text))
      record()
      if (fetched !== undefined && ttlSeconds !== undefined) return cache.set(key, fetched, ttlSeconds)
      return cache.confirm(key, known as CachedDocument)
    } catch (failure) {
      if (failure instanceof FetchFailure && !isCapacityFailure(failure)) {
        record(failure.reason)
        cache.setFailure(key, failure)
      }
      throw failure
    }
  }

  function fetchOnce(key: string, { requester, beforeFetch, ...name }: DocumentRequest) {
    return inFlight.join(key, requester, (onBehalfOf) => {
      beforeFetch()
      return fetchAndCache(key, name, onBehalfOf(fetcher))
    })
  }

  return {
    /** The document, if it is in memory and its time is not over. */
    fresh(name: DocumentName): CachedDocument | undefined {
      const orders = documentList.peek(name.url)
      if (orders === undefined || orders.isBlocked) return undefined
      const known = cache.get(keyOf(name, orders))
      return known !== undefined && cache.staleMs(known) < 0 ? known : undefined
    },
    /**
     * Returns the document, for a day also a stale one, which is then fetched again behind the answer. Rejects with
     * FetchFailure.
     */
    async read(request: DocumentRequest): Promise<CachedDocument> {
      const orders = documentList.peek(request.url) ?? (await documentList.load(request.url))
      if (orders.isBlocked) throw new FetchFailure('denied_domain')
      const key = keyOf(request, orders)
      const known = cache.get(key)
      const failure = cache.recentFailure(key)
      const staleMs = known === undefined ? Number.POSITIVE_INFINITY : cache.staleMs(known)
      if (known !== undefined && staleMs < dayMs) {
        if (staleMs >= 0 && failure === undefined)
          fetchOnce(key, {
            ...request,
            requester: inBackground(request.requester),
            beforeFetch: () => {},
          }).catch(() => {})
        return known
      }
      if (failure !== undefined) throw failure
      return fetchOnce(key, request)
    },
  }
}

/** A document that is to be read again is another one, so that neither its copy nor its failure is used. */
function keyOf({ url, format }: DocumentName, { renewals }: DocumentOrders): string {
  return `${format} ${renewals} ${url}`
}

const ttlDefaultSeconds = 300
const ttlMinSeconds = 60
const ttlMaxSeconds = 86_400

/** How long a document holds by its own member `cacheSeconds`. Rejects with FetchFailure if it cannot be read. */
async function ttlSecondsOf(format: DocumentFormat, text: string): Promise<number> {
  const document = await parseDocument(format, text)
  const own = (document as { readonly cacheSeconds?: unknown } | null)?.cacheSeconds
  const seconds = typeof own === 'number' || typeof own === 'string' ? Number(own) : Number.NaN
  return Number.isNaN(seconds) || own === ''
    ? ttlDefaultSeconds
    : Math.round(Math.min(ttlMaxSeconds, Math.max(ttlMinSeconds, seconds)))
}
