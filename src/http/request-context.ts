/** One request on its way through the house, with what was found out about it once and for all. */
export interface RequestContext {
  readonly request: Request
  readonly id: string
  /** `performance.now()` at arrival. */
  readonly startMs: number
  readonly method: string
  /** As it stands in the URL, still percent-encoded. */
  readonly path: string
  /** What follows the `?`, untouched; empty when there is none. */
  readonly rawQuery: string
  /** Scheme and host that the caller reaches us by, without a trailing slash. */
  readonly baseUrl: string
  readonly clientAddress: string
  readonly logFields: LogFields
  /** Set by who has made the answer as it goes out: encoded, with all common headers and the request's id. */
  isFinished: boolean
}

/** What handlers add to the log line. */
export interface LogFields {
  asset?: string
  auth?: string
  cache?: 'hit' | 'miss'
  /** Why a 402 was answered. */
  refused?: string
}

const exchanges = new WeakMap<Request, RequestContext>()

/** The exchange that a request inside a route belongs to. */
export function contextOf(request: Request): RequestContext {
  const context = exchanges.get(request)
  if (context === undefined) throw new Error('The request did not come through the front door.')
  return context
}

/** Lets `exchangeOf(request)` find the exchange; `request` may be another than the one that arrived. */
export function attachContext(request: Request, context: RequestContext): void {
  exchanges.set(request, context)
}
