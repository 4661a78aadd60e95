import { invalidQuery, rateLimited } from '../../../errors.ts'
import { addressBlock } from '../../../lib/address-block.ts'
import { type FailureCode, FetchFailure } from '../../../web/fetch-failure.ts'
import { fetchProblem } from '../../../web/fetch-problem.ts'
import type { CompleteQuery, Grant, LiveQuery, ProduceContext } from '../../kit/producer.ts'
import type { LivePages } from '../../live-pages.ts'
import { requesterOf } from '../../unpaid-fetch.ts'
import type { BadgeQuery } from '../query.ts'
import { completeBadge, fallbackBadge } from './complete-badge.ts'
import type { DocumentReader, FoundFacts } from './document-reader.ts'
import type { RecordSource } from './documents.ts'
import { type DocumentSource, documentSourceOf } from './source.ts'

export interface LiveBadgesDeps {
  readonly livePages: Pick<LivePages, 'documentFetcher' | 'unpaid' | 'now'>
  readonly recordSource?: RecordSource | undefined
}

const staleSeconds = 86_400
const fallbackSeconds = 60

/** Returns a function that tells what has to be read for a badge; undefined for a badge that is complete. */
export function createLiveBadges({ livePages, recordSource }: LiveBadgesDeps) {
  let reader: DocumentReader | undefined
  let loading: Promise<DocumentReader> | undefined

  async function create(): Promise<DocumentReader> {
    const { createDocumentReader } = await import('./document-reader.ts')
    reader = createDocumentReader({
      fetcher: await livePages.documentFetcher(),
      now: livePages.now,
      recordSource,
    })
    return reader
  }

  /** The reader is loaded with the first live badge. */
  function load(): Promise<DocumentReader> {
    loading ??= create()
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  return (query: BadgeQuery): LiveQuery | undefined => {
    const source = documentSourceOf(query)
    if (source === undefined) return undefined
    const complete = createCompletion(query)
    let isChecked = false
    return {
      prepare() {
        if (isChecked) return undefined
        return load().then(({ pathMistake }) => {
          const message = source.path === undefined ? undefined : pathMistake(source.path)
          if (message !== undefined) throw invalidQuery([{ parameter: 'query', message }])
          isChecked = true
        })
      },
      current() {
        const found = reader?.fresh(source)
        return found && complete(found)
      },
      async read(context, grant) {
        const { read } = await load()
        try {
          const beforeFetch = limitUnpaid(livePages.unpaid, context, grant)
          return complete(await read(source, { requester: requesterOf(context, grant), beforeFetch }))
        } catch (error) {
          return fallbackFor(error, query, source)
        }
      },
    }
  }
}

/** Returns a function that makes a query complete: the same object for the same facts, because requests are cached by it. */
function createCompletion(query: BadgeQuery): (found: FoundFacts) => CompleteQuery {
  let latest: (FoundFacts & { readonly complete: CompleteQuery }) | undefined
  return ({ facts, ttlSeconds }) => {
    if (latest?.facts !== facts || latest.ttlSeconds !== ttlSeconds) {
      const cacheSeconds = query.cacheSeconds ?? ttlSeconds
      const complete = { query: completeBadge(query, facts), cacheSeconds, staleSeconds, isFallback: false }
      latest = { facts, ttlSeconds, complete }
    }
    return latest.complete
  }
}

/** Failures that are the document's or its site's. */
const fallbackCodes: ReadonlySet<FailureCode> = new Set([
  'upstream_failed',
  'upstream_timeout',
  'blocked_address',
  'blocked_host',
  'blocked_port',
  'self_request',
])

/** The badge that the caller wants instead of this failure; else throws the problem. */
function fallbackFor(error: unknown, query: BadgeQuery, { parameter }: DocumentSource): CompleteQuery {
  if (query.fallback === undefined || !(error instanceof FetchFailure) || !fallbackCodes.has(error.code))
    throw fetchProblem(error, parameter)
  const message = error.reason === 'no_value' ? 'no result' : 'inaccessible'
  return {
    query: fallbackBadge(query, message),
    cacheSeconds: fallbackSeconds,
    staleSeconds: 0,
    isFallback: true,
  }
}

/**
 * Returns the check that runs before a document is fetched: a 429 for who had too many fetched without paying. A signed call is
 * counted for its key, because proxies of pictures ask for the badges of many pages from one address.
 */
function limitUnpaid(
  limit: LivePages['unpaid'],
  { clientAddress }: Pick<ProduceContext, 'clientAddress'>,
  { mode, keyId }: Pick<Grant, 'mode' | 'keyId'>,
): () => void {
  return () => {
    const waitSeconds = mode === 'payment' ? 0 : limit.acquire(keyId ?? addressBlock(clientAddress))
    if (waitSeconds > 0)
      throw rateLimited('Many documents have been fetched for your address or key just now.', waitSeconds)
  }
}
