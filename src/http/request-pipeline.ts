import { inTurn } from '../lib/cooperative-scheduler.ts'
import { traceOf } from '../lib/trace-of.ts'
import { basePathOf } from './base-path.ts'
import type { SocketAddress } from './client-address.ts'
import { type ContextReaderDeps, createContextReader } from './context-reader.ts'
import { createErrorResponder, type ErrorResponderDeps } from './error-responder.ts'
import { createSpellingCheck, isBelowPath } from './guarded-areas.ts'
import { headResponse } from './head-response.ts'
import type { RequestContext } from './request-context.ts'
import { finish } from './response-headers.ts'
import { routedBody, routedRequest } from './routed-request.ts'
import { targetOf } from './target.ts'
import { createRequestLines } from './wire/request-line.ts'

export interface RequestPipelineDeps extends ContextReaderDeps, ErrorResponderDeps {
  /** The front cache: answers a repeated request without the router, and returns undefined for every other. */
  readonly answerRepeated?: (context: RequestContext) => Response | Promise<Response> | undefined
  /** Answers GET and HEAD of an asset without the router, and returns undefined for every other request. */
  readonly answerAsset?: (context: RequestContext) => Response | Promise<Response> | undefined
  /** The router. It gets HEAD as GET. */
  readonly route: (request: Request) => Response | Promise<Response>
  /** Redraws an error for an `<img>`, and returns every other response as it is. */
  readonly errorPicture?: (response: Response, context: RequestContext) => Promise<Response>
  /** Whether the process is about to end, so that clients send no further request on their connections. */
  readonly isDraining?: () => boolean
  /** Called with every response. */
  readonly observe?: (context: RequestContext, response: Response, durationMs: number) => void
}

/**
 * Wraps the router in what every request passes first and every response last: limits, host, request id, HEAD, common
 * headers, compression, one log line. Returns the `fetch` of a server; `socketAddress` reads the address of the peer.
 */
export function createRequestPipeline(deps: RequestPipelineDeps) {
  const readContext = createContextReader(deps)
  const errorResponse = createErrorResponder(deps)
  const logRequest = createRequestLines(deps.log)
  const basePath = basePathOf(deps.baseUrl ?? '')
  const checkSpelling = createSpellingCheck(deps)

  /** Logs and counts the response. Its faults must not change the response, which may be paid for. */
  function record(context: RequestContext, response: Response): void {
    const durationMs = performance.now() - context.startMs
    try {
      logRequest(context, response.status, durationMs)
      deps.observe?.(context, response, durationMs)
    } catch (error) {
      deps.log.error('request was not counted', { id: context.id, error: traceOf(error) })
    }
  }

  async function routeInTurn(context: RequestContext): Promise<Response> {
    await checkSpelling(context)
    const body = await routedBody(context)
    return inTurn(() => deps.answerAsset?.(context) ?? deps.route(routedRequest(context, body)))
  }

  function picturedError(response: Response, context: RequestContext): Response | Promise<Response> {
    const { errorPicture } = deps
    if (response.status < 400 || errorPicture === undefined) return response
    return inTurn(() => errorPicture(response, context))
  }

  /** Waits for the response, and makes one of an error. */
  async function complete(
    context: RequestContext,
    pending: Response | Promise<Response> | undefined,
    fault: unknown,
  ): Promise<Response> {
    let response: Response
    try {
      if (fault !== undefined) throw fault
      // The base path alone; without one no path is equal to it.
      if (context.path === basePath && !isBelowPath(context, basePath)) response = redirectHome(context)
      else response = await (pending ?? routeInTurn(context))
    } catch (error) {
      response = await inTurn(() => errorResponse(error, context))
    }
    response = await picturedError(response, context)
    if (!context.isFinished) response = await finish(context, response, basePath)
    send(context, response)
    return context.method === 'HEAD' ? headResponse(response) : response
  }

  /** Ends the connection while the process drains. */
  function send(context: RequestContext, response: Response): Response {
    if (deps.isDraining?.() === true) response.headers.set('connection', 'close')
    record(context, response)
    return response
  }

  return (
    request: Request,
    socketAddress: SocketAddress,
    targetArea?: string,
  ): Response | Promise<Response> => {
    const context = readContext(request, socketAddress, targetArea)
    if (context.fault !== undefined) return complete(context, undefined, context.fault)
    let pending: Response | Promise<Response> | undefined
    try {
      pending = deps.answerRepeated?.(context)
    } catch (error) {
      return complete(context, undefined, error)
    }
    if (!context.isFinished || !(pending instanceof Response) || pending.status >= 400)
      return complete(context, pending, undefined)
    return send(context, pending)
  }
}

/** Redirects to the home page, which has a slash behind the base path. */
function redirectHome({ rawQuery }: RequestContext): Response {
  return new Response(null, { status: 308, headers: { location: targetOf({ path: '/', rawQuery }) } })
}
