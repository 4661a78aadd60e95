import type { Granted } from '../access/authorization.ts'
import type { CallWaiter } from '../lib/waiter.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestHead } from './request-head.ts'

/** One request, with what is read from it once: it accompanies the request from arrival to the log line. */
export interface RequestContext {
  readonly request: Request
  readonly head: RequestHead
  readonly id: string
  /** `performance.now()` at arrival. */
  readonly startMs: number
  readonly method: string
  /** The path in the URL, still percent-encoded, without the path of the base URL. */
  readonly path: string
  /** The text behind the `?`, unchanged; empty if there is none. */
  readonly rawQuery: string
  /** The request that the same URL was parsed to before; check whether it still holds. */
  readonly recalled?: ParsedRequest | undefined
  /** `BASE_URL`, which may have a path, else scheme and host that the caller used; without a trailing slash. */
  readonly baseUrl: string
  /** Found when it is read, which costs a system call; a copy of the context has to take it over by name. */
  readonly clientAddress: string
  /** Waits in queues for the answer; a copy of the context has to take it over by name. */
  readonly waiter: CallWaiter
  readonly logFields: LogFields
  /** Set once the call is granted. */
  grant?: Granted | undefined
  /** The fault of the request. It is thrown later, where errors become responses, which need the context. */
  readonly fault?: unknown
  /** The router's request has no body: the handler reads that of `request`, and bounds it. */
  readonly handlerReadsBody?: boolean
  /** Set when HEAD makes no body, whose length therefore decides nothing about the headers. */
  isUnmadeForHead: boolean
  /** Set when the response has its encoding, all common headers and the request's id already. */
  isFinished: boolean
}

/** Fields that handlers add to the log line. */
export interface LogFields {
  asset?: string
  auth?: string
  /** The key that granted the call, or the one that a refused call names. For the operator's area, not for the log. */
  key?: string | undefined
  cache?: 'hit' | 'miss'
  /** Why a 402 was answered. */
  refused?: string
}

const contexts = new WeakMap<Request, RequestContext>()

/** Returns the context of a request inside a route. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (context === undefined) throw new Error('The request did not come through the request pipeline.')
  return context
}

/** Lets `contextOf(request)` find the context. The router gets another `Request` than the one that arrived. */
export function attachContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}
