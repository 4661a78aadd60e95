import type { Static, TObject } from '@sinclair/typebox'
import type { ParameterError } from '../../errors.ts'
import type { Body } from '../../lib/body.ts'

/** How an asset is made that depends on its parameters alone: it is cached, and an ETag names its bytes. */
export interface Producer<Query extends TObject = TObject> {
  /** The content type and file name of the answer. Cheap: HEAD is answered with it, free of charge. */
  describe(query: Static<Query>): AssetHead
  /** Renders the body. Never called for HEAD. */
  produce(query: Static<Query>, context: ProduceContext): Body | Promise<Body>
  /** Returns the reader of the document that completes the query; undefined for a query that is complete. */
  live?(query: Static<Query>): LiveQuery | undefined
  /**
   * Resolves the query parts that others can change, such as the newest revision of a brand; returns the mistake if a
   * part no longer exists, and undefined if the query always means the same. It must be cheap, because it runs for
   * each request that was not parsed before.
   */
  resolve?(query: Partial<Static<Query>>): ResolvedQuery | ParameterError | undefined
}

/** The present meaning of the query parts that can change. */
export interface ResolvedQuery {
  /** Parameters that take the place of the given ones, such as `acme@3` for `acme`. */
  readonly replaced: Readonly<Record<string, string>>
  /** Part of the cache key: equal queries with equal keys are equal bytes. */
  readonly key: string
  /** The only keys that may ask for it; undefined: everybody may. */
  readonly keyIds: ReadonlySet<string> | undefined
  /** Whether it would be resolved to the same now. */
  isCurrent(): boolean
  /** Undefined while that was checked within the last second; else a check, after which it has to be resolved again. */
  recheck(): Promise<void> | undefined
  /** Counts an answer. */
  count(grant: Pick<Grant, 'mode' | 'keyId'>): void
}

/** A query that a document of another site completes. */
export interface LiveQuery {
  /** Loads what checks the query. Undefined once that is done. Rejects with the Problem of a wrong query. */
  prepare(): Promise<void> | undefined
  /** The query as the document completes it, if that is in memory and fresh: the same object for the same facts. */
  current(): CompleteQuery | undefined
  /** Reads the document. A call for which it rejects is not charged. */
  read(context: ProduceContext, grant: Grant): Promise<CompleteQuery>
}

/** A live query with what its document says. */
export interface CompleteQuery {
  readonly query: Readonly<Record<string, unknown>>
  /** For how many seconds the response may be cached, and for how many more while it is asked for again. */
  readonly cacheSeconds: number
  readonly staleSeconds: number
  /** It stands for a document that has no answer: nobody pays for it. */
  readonly isFallback: boolean
}

/** How an asset is answered that changes by itself, such as a page of another site: it has no cache and no ETag here. */
export interface LiveProducer<Query extends TObject = TObject> {
  /**
   * Returns the response without the headers that every metered response has. A call that throws is not charged.
   * HEAD fetches nothing: it is answered from the cache or with a null body.
   */
  answer(query: Static<Query>, context: ProduceContext, grant: Grant): Promise<Response>
}

export type AnyProducer = Producer | LiveProducer

/** Properties of an asset that are known before it is rendered: a pure function of the query. */
export interface AssetHead {
  readonly contentType: string
  readonly filename: string
}

/** The part of a request that producers read. */
export interface ProduceContext {
  readonly method: string
  readonly request: { readonly headers: Headers }
  /** Scheme and host that the caller used, without a trailing slash. */
  readonly baseUrl: string
  readonly clientAddress: string
  /** Live producers note whether their own cache had the answer, and faults of ours. */
  readonly logFields: { cache?: 'hit' | 'miss'; refused?: string }
}

/** On whose account a live call is answered. */
export interface Grant {
  readonly mode: 'demo' | 'key' | 'payment'
  /** The key that signed the call, if one did. */
  readonly keyId?: string
  /** Releases the quota reservation or the payment. Idempotent; never rejects. */
  refund(): Promise<void>
}
