import type { Static, TObject } from '@sinclair/typebox'
import type { ParameterError } from '../../errors.ts'
import type { Body } from '../../lib/body.ts'
import type { Waiter } from '../../lib/waiter.ts'

/** Makes an asset that depends on its parameters alone: it is cached, and an ETag names its bytes. */
export interface Producer<Query extends TObject = TObject> {
  /** The content type and file name of the answer. Cheap: HEAD is answered with it, free of charge. */
  describe(query: Static<Query>): AssetHead
  /** Renders the body. Never called for HEAD. */
  produce(query: Static<Query>, context: ProduceContext): Body | Promise<Body>
  /** Resolves parts that others can change, such as a brand's newest revision; a mistake if one is gone. Cheap: each request not parsed before asks. */
  resolve?(query: Partial<Static<Query>>): ResolvedQuery | ParameterError | undefined
}

/** The present meaning of the query parts that can change. */
export interface ResolvedQuery {
  /** Parameters that take the place of the given ones, such as `acme@3` for `acme`; undefined for one that means nothing more. */
  readonly replaced: Readonly<Record<string, unknown>>
  /** Part of the cache key: equal queries with equal keys are equal bytes. */
  readonly key: string
  /** The only keys that may ask for it; undefined: everybody may. */
  readonly keyIds: ReadonlySet<string> | undefined
  /** True if it would be resolved to the same now. */
  isCurrent(): boolean
  /** Undefined while that was checked within the last second; else a check, after which it has to be resolved again. */
  recheck(): Promise<void> | undefined
  count(grant: Pick<Grant, 'mode' | 'keyId'>): void
  /** Present where the meaning is found once the call is granted, as by reading a page. HEAD has no ETag then. Without a result nothing is charged. */
  find?(context: ProduceContext, grant: Grant): Promise<ResolvedQuery>
  /** Called with each answer, a 304 included: what the asset is made from may have to be brought up to date. */
  use?(context: ProduceContext, grant: Grant): void
  /** Present where a public site id may grant the call. */
  readonly site?: SiteCall
  /** Headers that tell what the asset was made from. */
  readonly headers?: Readonly<Record<string, string>>
  /** Time for which the answer is fresh, and may be used after that while it is asked for again. */
  readonly freshness?: { readonly seconds: number; readonly staleSeconds: number }
  /** Present where the answer replaces what was asked for: nothing is charged, and it is fresh for no longer than `freshness` says. */
  readonly free?: FreePicture
  /** Mistakes that an earlier version took for none: a signed address that was answered before is answered all the same. */
  readonly unlessAnswered?: readonly ParameterError[]
  /** Mistakes of a call that neither a key nor a payment stands behind. */
  readonly notByDemo?: readonly ParameterError[]
}

/** The meaning of a query that is drawn as it is written. */
export const unchanged: ResolvedQuery = {
  replaced: {},
  key: '',
  keyIds: undefined,
  isCurrent: () => true,
  recheck: () => undefined,
  count: () => undefined,
}

/** A picture that replaces one that cannot be had. It has one look, whatever was asked for, so that few of them are drawn. */
export interface FreePicture {
  /** The whole query: nothing else of what was asked for counts. */
  readonly query: Readonly<Record<string, unknown>>
  /** A query without words of the subject, drawn where too many others were drawn just now. */
  readonly plainQuery: Readonly<Record<string, unknown>>
}

/** A call that names no secret but the public id of a key, which names the hosts whose pages may be drawn. */
export interface SiteCall {
  readonly siteId: string
  readonly keyId: string
  /** Names what is counted, once; undefined as long as it is not known, or there is nothing to count. */
  readonly page?: string
  /** True if the site itself names the page, which then comes before others where strangers share a budget. */
  readonly comesFirst: () => Promise<boolean>
}

/** Answers for an asset that changes by itself, such as a page of another site: it has no cache and no ETag here. */
export interface LiveProducer<Query extends TObject = TObject> {
  /** The response without the headers of all metered ones. A call that throws is not charged. HEAD fetches nothing: its body is cached or null. */
  answer(query: Static<Query>, context: ProduceContext, grant: Grant): Promise<Response>
}

export type AnyProducer = Producer | LiveProducer

/** Properties of an asset that are known before it is rendered: a pure function of the query. */
export interface AssetHead {
  readonly contentType: string
  readonly filename: string
}

export interface ProduceContext {
  readonly method: string
  readonly request: { readonly headers: Headers }
  /** Scheme and host that the caller used, without a trailing slash. */
  readonly baseUrl: string
  readonly clientAddress: string
  /** The account on which the asset is made; undefined where nobody was asked. */
  readonly grant?: Grant | undefined
  /** Waits in queues for the answer; undefined where nobody's time is bounded. */
  readonly waiter?: Waiter | undefined
  /** Live producers note whether their own cache had the answer, and faults of ours. */
  readonly logFields: { cache?: 'hit' | 'miss'; refused?: string }
}

export interface Grant {
  readonly mode: 'demo' | 'key' | 'payment'
  readonly keyId?: string
  /** Names the signed address that was asked for; undefined for any other call. */
  readonly addressDigest?: string | undefined
  /** The public id that granted the call, where the key did not sign it. */
  readonly siteId?: string | undefined
  /** Releases the quota reservation or the payment. Idempotent; never rejects. */
  refund(): Promise<void>
}
