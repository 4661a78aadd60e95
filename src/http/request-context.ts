import type { Granted } from '../access/authorization.ts'
import type { Credentials } from '../access/credentials.ts'
import type { ServedAsset } from '../assets/kit/asset.ts'
import type { AssetHead, ResolvedQuery } from '../assets/kit/producer.ts'
import type { Body } from '../lib/body.ts'
import type { CallWaiter } from '../lib/waiter.ts'
import type { Encoding } from './compression.ts'

/** One request, with what is read from it once: it accompanies the request from arrival to the log line. */
export interface RequestContext {
  readonly request: Request
  readonly head: RequestHead
  readonly id: string
  readonly startMs: number
  readonly method: string
  /** The path in the URL, still percent-encoded, without the path of the base URL. */
  readonly path: string
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

export interface LogFields {
  asset?: string
  auth?: string
  /** The key that granted the call, or the one that a refused call names. For the operator's area, not for the log. */
  key?: string | undefined
  cache?: 'hit' | 'miss'
  refused?: string
}

const contexts = new WeakMap<Request, RequestContext>()

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (context === undefined) throw new Error('The request did not come through the request pipeline.')
  return context
}

/** Lets `contextOf(request)` find the context. The router gets another `Request` than the one that arrived. */
export function attachContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}

export interface RenderedAsset extends AssetHead {
  readonly body: Body
  readonly encoding?: Encoding
}

/** A pure function of path and raw query while its resolution is current, so it can be cached by them. */
export interface ParsedRequest extends ServedAsset, Target {
  readonly query: Readonly<Record<string, unknown>>
  /** The present meaning of query parts that others can change. */
  readonly resolved: ResolvedQuery | undefined
  readonly credentials: Credentials
  /** Equal keys mean equal bytes. */
  readonly key: string
  readonly tag: string
  readonly etag: string
  /** For how many seconds the response may be cached: as the caller chose, or by whether the asset is priced. */
  readonly cacheSeconds: number
  /** For how many seconds after that a copy may be used while it is asked for again. */
  readonly staleSeconds: number
  withMeaning(resolved: ResolvedQuery): ParsedRequest
  isCached: boolean
}

export interface RequestHead {
  readonly bytes: number
  /** As declared; 0 without a declaration. */
  readonly bodyBytes: number
  readonly host: string | null
  readonly ifNoneMatch: string | null
  readonly acceptEncoding: string | null
  readonly userAgent: string | null
  readonly hasPayment: boolean
}

/** Reads the head from all headers at once, which costs less than to ask for two of them. */
export function readHead({ url, headers }: Request): RequestHead {
  // Bun has a way of its own, which takes half the time of a walk over two headers, and that of a walk over twelve.
  const given: Readonly<Record<string, string>> =
    'toJSON' in headers ? headers.toJSON() : Object.fromEntries<string>(headers)
  let bytes = url.length
  for (const name in given) bytes += lineLength(name, given[name])
  return {
    bytes,
    bodyBytes: Number(given['content-length'] ?? 0),
    host: given['host'] ?? null,
    ifNoneMatch: given['if-none-match'] ?? null,
    acceptEncoding: given['accept-encoding'] ?? null,
    userAgent: given['user-agent'] ?? null,
    hasPayment: (given['x-payment'] ?? given['payment-signature'] ?? given['authorization']) !== undefined,
  }
}

/** Only `set-cookie`, which no request has, may be several. */
function lineLength(name: string, value: string | readonly string[] = ''): number {
  if (typeof value === 'string') return name.length + value.length + 4
  return value.reduce((sum, each) => sum + lineLength(name, each), 0)
}

export interface Target {
  readonly path: string
  readonly rawQuery: string
}

/** Splits a request's URL, without decoding or normalising it. The fragment is dropped. */
export function splitTarget(url: string): Target {
  const start = pathStart(url)
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end) || '/', rawQuery: '' }
  return { path: url.slice(start, question) || '/', rawQuery: url.slice(question + 1, end) }
}

function pathStart(url: string): number {
  // A malformed Host header leaves the bare target, which starts with its slash.
  if (url.startsWith('/')) return 0
  const authority = url.indexOf('://') + 3
  const slash = url.indexOf('/', authority)
  // Deno hands out `http://host?a=/b` as it was sent: the slash is part of the query.
  const other = url.slice(authority, slash < 0 ? url.length : slash).search(/[?#]/)
  if (other >= 0) return authority + other
  return slash < 0 ? url.length : slash
}

export function targetOf({ path, rawQuery }: Target): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`
}
