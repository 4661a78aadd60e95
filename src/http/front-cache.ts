import { addressStart } from '../access/path-address.ts'
import { createTwoGenerationCache } from '../lib/two-generation-cache.ts'
import { requestCacheBytes } from './cache-bytes.ts'
import type { ParsedRequest } from './parsed-request.ts'

/**
 * Keeps what URLs were parsed to, so that a repeated request for an asset needs neither the router nor validation. Callers
 * decide what to `remember`: only a request that comes again is worth its memory.
 */
export function createFrontCache() {
  // The key is the whole URL as the runtime hands it out, because joining path and query again took longer than the rest.
  const cached = createTwoGenerationCache<ParsedRequest>(
    requestCacheBytes.parsedRequests,
    (_, url) => 1_000 + 4 * url.length,
  )
  return {
    /** Returns what the URL was parsed to before; undefined if that is not cached. It may have changed its meaning. */
    recall: (url: string): ParsedRequest | undefined => cached.get(url),
    /** Caches a parsed request for the next one with the same URL. */
    remember(parsed: ParsedRequest, { request }: { readonly request: Pick<Request, 'url'> }): void {
      if (parsed.isCached || !isSpelledOnce(parsed, request)) return
      parsed.isCached = true
      cached.set(request.url, parsed)
    },
  }
}

/** An address has many spellings, of which only its own is worth an entry. */
function isSpelledOnce({ path }: ParsedRequest, { url }: Pick<Request, 'url'>): boolean {
  return !path.startsWith(addressStart) || url.endsWith(path)
}
