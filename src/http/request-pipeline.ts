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
  /** Answers a request without the router; undefined leaves it to the router. */
  readonly shortcut: (context: RequestContext) => Promise<Response> | undefined
  /** The router. It gets HEAD as GET. */
  readonly route: (request: Request) => Response | Promise<Response>
  /** Translates a compatibility URL into one of ours; undefined for every other URL. */
  readonly rewrite?: (target: Target) => Target | undefined
  readonly log: Log
  readonly baseUrl?: string | undefined
  readonly allowedHosts: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Returns the page that shows a 503 to people; undefined where the problem document does. */
  readonly busyPage?: (problem: Problem, context: RequestContext) => Response | undefined
  /** Called with every response. */
  readonly observe?: (context: RequestContext, response: Response, durationMs: number) => void
}

/**
 * Wraps the router in what every request passes first and every response last: limits, host, request id, HEAD, common
 * headers, compression, one log line. Returns the `fetch` of a server; `socketAddress` reads the address of the peer.
 */
export function createRequestPipeline(deps: RequestPipelineDeps) {
  const baseUrlOf = createHostCheck(deps)
  const peerOf = createPeerReader(deps.trustedProxies)
  const nextId = createRequestIds()
  const warnOfBusy = createRepeatedWarning(deps.log, 'busy')

  /** Reads the context. `fault` is what is wrong with the request; it is thrown where errors become responses. */
  function open(
    request: Request,
    socketAddress: () => string,
  ): { readonly context: RequestContext; readonly fault: unknown } {
    const startMs = performance.now()
    const { address, isSecure } = peerOf(socketAddress, request)
    const target = splitTarget(request.url)
    const { path, rawQuery } = deps.rewrite?.(target) ?? target
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

  function errorResponse(thrown: unknown, context: RequestContext): Response {
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

  /** Logs and counts the response. Its faults must not change the response, which may be paid for. */
  function record(context: RequestContext, response: Response, durationMs: number): void {
    try {
      deps.log.line('info', requestLine(context, response.status, durationMs))
      deps.observe?.(context, response, durationMs)
    } catch (error) {
      deps.log.error('request was not counted', { id: context.id, error: traceOf(error) })
    }
  }

  return async (request: Request, socketAddress: () => string): Promise<Response> => {
    const { context, fault } = open(request, socketAddress)
    let response: Response
    try {
      if (fault !== undefined) throw fault
      response = await (deps.shortcut(context) ?? deps.route(await forRouter(context)))
    } catch (error) {
      response = errorResponse(error, context)
    }
    if (!context.isFinished) response = await finish(context, response)
    const durationMs = performance.now() - context.startMs
    record(context, response, durationMs)
    return context.method === 'HEAD' ? withoutBody(response) : response
  }
}

/** Methods that the Fetch standard refuses in a `Request`, though servers pass them on. */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** HEAD is routed as GET. OPTIONS has no route, so it leads to the fallback, which reads the true method. */
function routedMethod(method: string): string {
  if (method === 'HEAD') return 'GET'
  return forbiddenMethods.has(method) ? 'OPTIONS' : method
}

/**
 * Returns the request for the router. It has a fixed host, because the router searches the URL for the path and fails on
 * hosts of less than four characters. Its body is read completely, so that the size limit holds for every handler.
 */
async function forRouter(context: RequestContext): Promise<Request> {
  const { request, method } = context
  const url = `http://mintmark${targetOf(context)}`
  const { headers } = request
  const body = method === 'GET' || method === 'HEAD' ? null : request.body
  const init = {
    method: routedMethod(method),
    headers,
    ...(body && { body: await readBody(body) }),
  }
  const routed = new Request(url, init)
  attachContext(routed, context)
  return routed
}

/** The response to HEAD: the headers of GET, with the length if it is known. */
async function withoutBody(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  const { status, body } = response
  const type = headers.get('content-type')
  // A stream is not read to its end only to know its length.
  if (type !== null && /^text\/(event-stream|csv)/.test(type)) {
    await body?.cancel()
    return new Response(unknownLength(), { status, headers })
  }
  // The asset was not rendered for HEAD, so its Content-Length is unknown.
  if (type !== null && body === null) return new Response(unknownLength(), { status, headers })
  if (status !== 304 && status !== 204)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status, headers })
}

/** A body that servers do not send for HEAD; without one they would answer `Content-Length: 0`. */
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
