import type { Static, TObject } from '@sinclair/typebox'
import type { Body } from '../lib/body.ts'

/** How an asset is made that depends on its parameters alone: it is cached, and an ETag names its bytes. */
export interface Producer<Query extends TObject = TObject> {
  /** The content type and file name of the answer. Cheap: HEAD is answered with it, free of charge. */
  describe(query: Static<Query>): AssetHead
  /** Renders the body. Never called for HEAD. */
  produce(query: Static<Query>, context: ProduceContext): Body | Promise<Body>
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

/** What is known of an asset before it is rendered: a pure function of the query. */
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
  /** Live producers note whether their own cache had the answer. */
  readonly logFields: { cache?: 'hit' | 'miss' }
}

/** On whose account a live call is answered. */
export interface Grant {
  readonly mode: 'demo' | 'key' | 'payment'
  /** The key that signed the call, if one did. */
  readonly keyId?: string
  /** Releases the quota reservation or the payment. Idempotent; never rejects. */
  refund(): Promise<void>
}
