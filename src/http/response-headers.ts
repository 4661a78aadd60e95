import { inTurn } from '../lib/cooperative-scheduler.ts'
import { responseBelow } from './base-path.ts'
import { encodeBody } from './compression.ts'
import type { RequestContext } from './request-context.ts'

/** The policy for an SVG that is opened directly: it is drawn, but runs and loads nothing. */
export const inertSvg = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/**
 * Makes the response of a call that has all its headers but the request's id: the request pipeline then adds nothing. Headers
 * that many calls share are copied by `Response`, so the id is set before.
 */
export function finishedResponse(
  body: BodyInit | null,
  init: { readonly status?: number; readonly headers: Headers },
  context: Pick<RequestContext, 'id' | 'isFinished'>,
): Response {
  init.headers.set('x-request-id', context.id)
  context.isFinished = true
  return new Response(body, init)
}

/** Adds the last headers to any other response, below the path of the base URL, and compresses it. */
export async function finish(context: RequestContext, given: Response, basePath: string): Promise<Response> {
  const response = basePath === '' ? given : await responseBelow(basePath, given)
  const { headers } = response
  completeHeaders(headers, context.path)
  headers.set('x-request-id', context.id)
  if (headers.has('etag')) return response
  return await inTurn(() => encodeBody(context.request, response, context.isUnmadeForHead))
}

/** Adds the headers that every response has, unless its handler set them. */
export function completeHeaders(headers: Headers, path: string): void {
  headers.set('x-content-type-options', 'nosniff')
  if (isPublic(path)) {
    headers.set('access-control-allow-origin', '*')
    headers.set('access-control-expose-headers', exposed)
  }
  if (headers.has('content-security-policy')) return
  if (headers.get('content-type')?.startsWith('text/html') !== true) {
    headers.set('content-security-policy', "default-src 'none'")
  }
}

/** Headers of responses that pages of other origins may read. */
const exposed =
  'Content-Disposition, ETag, PAYMENT-REQUIRED, PAYMENT-RESPONSE, Payment-Receipt, Retry-After, Server-Timing, ' +
  'WWW-Authenticate, X-Auth-Mode, X-Card-Source, X-PAYMENT-RESPONSE, X-Payment-Credit, X-Payment-Status, X-Quota-Limit, ' +
  'X-Quota-Remaining, X-Quota-Reset, X-Request-Id'

/** Headers that they may send. Some payment clients send the name of a response header with their request. */
const allowed =
  'Accept, Access-Control-Expose-Headers, Authorization, Content-Type, If-None-Match, PAYMENT-SIGNATURE, ' +
  'X-PAYMENT, X-Payment-Proof'

/** Whether any origin may read the response. The public API has no cookies; the operator's area stays closed. */
function isPublic(path: string): boolean {
  return !path.startsWith('/admin')
}

/** The response to OPTIONS, CORS preflights included. */
export function preflight(path: string, methods: readonly string[]): Response {
  const headers = new Headers({ allow: methods.join(', ') })
  if (isPublic(path)) {
    headers.set('access-control-allow-methods', methods.join(', '))
    headers.set('access-control-allow-headers', allowed)
    headers.set('access-control-max-age', '86400')
  }
  return new Response(null, { status: 204, headers })
}
