import { Problem } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { createRepeatedWarning } from '../lib/repeated-warning.ts'
import { busyReason, withBusyForStore } from './busy.ts'
import { createPeerReader } from './client-address.ts'
import { encodeBody } from './encode-body.ts'
import { createHostCheck } from './hosts.ts'
import { problemResponse } from './problem-response.ts'
import { attachContext, type RequestContext } from './request-context.ts'
import { createRequestIds } from './request-ids.ts'
import { requestLine } from './request-line.ts'
import { checkSizes, readBody } from './request-sizes.ts'
import { completeHeaders } from './response-headers.ts'
import { splitTarget, type Target, targetOf } from './target.ts'

export interface RequestPipelineDeps {
  /** Answers without routing what it can; undefined hands on to the router. */
  readonly shortcut: (context: RequestContext) => Promise<Response> | undefined
  /** The router: gets GET for HEAD. */
  readonly route: (request: Request) => Response | Promise<Response>
  /** What a URL stands for, where that is another one of ours. */
  readonly meaningOf?: (target: Target) => Target | undefined
  readonly log: Log
  readonly baseUrl?: string | undefined
  readonly allowedHosts: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Says to people that we are busy; undefined where the problem document says it. */
  readonly busyPage?: (problem: Problem, context: RequestContext) => Response | undefined
  /** Is told of every answer. */
  readonly observe?: (context: RequestContext, response: Response, durationMs: number) => void
}

/**
 * What every request passes first and every answer last: limits, host, request id, HEAD, common headers,
 * compression, one log line. Returns the `fetch` that a server calls with a way to the socket's other address.
 */
export function createRequestPipeline(deps: RequestPipelineDeps) {
  const baseUrlOf = createHostCheck(deps)
  const peerOf = createPeerReader(deps.trustedProxies)
  const nextId = createRequestIds()
  const warnOfBusy = createRepeatedWarning(deps.log, 'busy')

  /** Reads what every request has; what is wrong with it is thrown when it is to be answered. */
  function open(
    request: Request,
    socketAddress: () => string,
  ): { readonly context: RequestContext; readonly fault: unknown } {
    const startMs = performance.now()
    const { address, isSecure } = peerOf(socketAddress, request)
    const target = splitTarget(request.url)
    const { path, rawQuery } = deps.meaningOf?.(target) ?? target
    let baseUrl = deps.baseUrl ?? ''
    let fault: unknown
    try {
      baseUrl = baseUrlOf(request.headers.get('host'), isSecure)
      checkSizes(request)
    } catch (error) {
      fault = error
    }
    const context: RequestContext = {
      request,
      id: nextId(),
      startMs,
      method: request.method,
      path,
      rawQuery,
      baseUrl,
      logFields: {},
      isFinished: false,
      get clientAddress() {
        return address()
      },
    }
    return { context, fault }
  }

  function explain(thrown: unknown, context: RequestContext): Response {
    const error = withBusyForStore(thrown)
    if (error instanceof Problem && error.code === 'busy') {
      warnOfBusy(busyReason(error), { id: context.id })
      return deps.busyPage?.(error, context) ?? problemResponse(error, context)
    }
    if (!(error instanceof Problem))
      deps.log.error('request failed', { id: context.id, error: traceOf(error) })
    return problemResponse(error, context)
  }

  async function finish(context: RequestContext, response: Response): Promise<Response> {
    const { headers } = response
    completeHeaders(headers, context.path)
    headers.set('x-request-id', context.id)
    return headers.has('etag') ? response : encodeBody(context.request, response)
  }

  /** The call may be paid for already: no fault in counting or logging may change its answer. */
  function tell(context: RequestContext, response: Response, durationMs: number): void {
    try {
      deps.log.line('info', requestLine(context, response.status, durationMs))
      deps.observe?.(context, response, durationMs)
    } catch (error) {
      deps.log.error('request was not counted', { id: context.id, error: traceOf(error) })
    }
  }

  return async (request: Request, socketAddress: () => string): Promise<Response> => {
    const { context: exchange, fault } = open(request, socketAddress)
    let response: Response
    try {
      if (fault !== undefined) throw fault
      response = await (deps.shortcut(exchange) ?? deps.route(await forRouter(exchange)))
    } catch (error) {
      response = explain(error, exchange)
    }
    if (!exchange.isFinished) response = await finish(exchange, response)
    const durationMs = performance.now() - exchange.startMs
    tell(exchange, response, durationMs)
    return exchange.method === 'HEAD' ? withoutBody(response) : response
  }
}

/** The Fetch standard lets nobody make a request with these, though servers hand them on. */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** HEAD is routed as GET. OPTIONS has no route, so it leads to the answer for wrong methods, which sees the true one. */
function routedMethod(method: string): string {
  if (method === 'HEAD') return 'GET'
  return forbiddenMethods.has(method) ? 'OPTIONS' : method
}

/**
 * The request as the router may see it: it searches the URL for the path, and is wrong where the host is shorter
 * than four characters; so it gets a host of ours. Bodies are small and come whole, so that no handler can be sent
 * more than we take.
 */
async function forRouter(exchange: RequestContext): Promise<Request> {
  const { request, method } = exchange
  const url = `http://mintmark${targetOf(exchange)}`
  const { headers } = request
  const body = method === 'GET' || method === 'HEAD' ? null : request.body
  const init = {
    method: routedMethod(method),
    headers,
    ...(body && { body: await readBody(body) }),
  }
  const routed = new Request(url, init)
  attachContext(routed, exchange)
  return routed
}

/** The headers of the answer to GET, its length included where it is known. */
async function withoutBody(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  const { status, body } = response
  const type = headers.get('content-type')
  // Streams are not read to their end only to know how long they are.
  if (type !== null && /^text\/(event-stream|csv)/.test(type)) {
    await body?.cancel()
    return new Response(unknownLength(), { status, headers })
  }
  // What has a type but no body was not made: only GET makes it, and knows its length.
  if (type !== null && body === null) return new Response(unknownLength(), { status, headers })
  if (status !== 304 && status !== 204)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status, headers })
}

/** A body that no server sends in answer to HEAD; without one they would say that the length is 0. */
function unknownLength(): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1))
      controller.close()
    },
  })
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
