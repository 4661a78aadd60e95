import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../../../lib/clock.ts'
import type { FetchFailure } from '../../../web/fetch-failure.ts'
import type { DocumentFacts } from './document-facts.ts'
import type { FetchedDocument } from './fetch-document.ts'

/** A document in memory. */
export interface CachedDocument extends FetchedDocument {
  readonly ttlSeconds: number
  /** When its site last said that it is so. */
  confirmedAtMs: number
  /** Answers since it was fetched or confirmed last. */
  uses: number
  /** The facts that were found, by the query; the failure where nothing was. */
  readonly answers: LRUCache<string, DocumentFacts | FetchFailure>
}

const bytesMax = 16 * 2 ** 20
const documentsMax = 5_000
/** Different queries to one document. */
const answersMax = 32
/** Room for the answers: few have a picture. */
const answersBytes = 4_096
const failuresMax = 5_000
const failureMs = 60_000

/** Documents by key, within bounds of number and bytes, and the failures of the last minute. */
export function createDocumentCache(now: () => number) {
  const documents = new LRUCache<string, CachedDocument>({
    max: documentsMax,
    maxSize: bytesMax,
    sizeCalculation: ({ text }, key) => 2 * (text.length + key.length) + answersBytes,
  })
  const failures = new LRUCache<string, { readonly failure: FetchFailure; readonly untilMs: number }>({
    max: failuresMax,
  })
  return {
    get: (key: string): CachedDocument | undefined => documents.get(key),
    /** Stores a document. One with the same text keeps what was found in it, so that its badges stay the same objects. */
    set(key: string, fetched: FetchedDocument, ttlSeconds: number): CachedDocument {
      const known = documents.peek(key)
      const answers = known?.text === fetched.text ? known.answers : new LRUCache({ max: answersMax })
      const document = { ...fetched, ttlSeconds, confirmedAtMs: now(), uses: 0, answers } as CachedDocument
      documents.set(key, document)
      failures.delete(key)
      return document
    },
    /** The site says that the document has not changed. */
    confirm(key: string, document: CachedDocument): CachedDocument {
      document.confirmedAtMs = now()
      documents.set(key, document)
      failures.delete(key)
      return document
    },
    setFailure(key: string, failure: FetchFailure): void {
      failures.set(key, { failure, untilMs: now() + failureMs })
    },
    /** A failure of the last minute: the site is not asked again. */
    recentFailure(key: string): FetchFailure | undefined {
      const failed = failures.get(key)
      return failed !== undefined && isStillAhead(failed.untilMs, now(), failureMs)
        ? failed.failure
        : undefined
    },
    /** How long a document is past its time; negative while it is fresh. */
    staleMs: ({ confirmedAtMs, ttlSeconds }: CachedDocument): number =>
      Math.abs(now() - confirmedAtMs) - ttlSeconds * 1_000,
  }
}
