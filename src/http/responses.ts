import { inTurn } from '../lib/cooperative-scheduler.ts'
import { document, type Markup } from '../lib/jsx/markup.ts'
import { responseBelow } from './base-path.ts'
import { encodeBody } from './compression.ts'
import values from './header-values.json' with { type: 'json' }
import { type RequestContext, type Target, targetOf } from './request-context.ts'

/** The policy for an SVG that is opened directly: it is drawn, but runs and loads nothing. */
export const { inertSvg } = values

/** The pipeline adds nothing to such a response. `Response` copies headers that calls share, so the id is set before. */
export function finishedResponse(
  body: BodyInit | null,
  init: { readonly status?: number; readonly headers: Headers },
  context: Pick<RequestContext, 'id' | 'isFinished'>,
): Response {
  init.headers.set('x-request-id', context.id)
  context.isFinished = true
  return new Response(body, init)
}

export async function finish(context: RequestContext, given: Response, basePath: string): Promise<Response> {
  const response = basePath === '' ? given : await responseBelow(basePath, given)
  const { headers } = response
  completeHeaders(headers, context.path)
  headers.set('x-request-id', context.id)
  if (headers.has('etag')) return response
  return await inTurn(() => encodeBody(context.request, response, context.isUnmadeForHead))
}

export function completeHeaders(headers: Headers, path: string): void {
  headers.set('x-content-type-options', 'nosniff')
  if (isPublic(path)) {
    headers.set('access-control-allow-origin', '*')
    headers.set('access-control-expose-headers', values.exposed)
  }
  if (headers.has('content-security-policy')) return
  if (headers.get('content-type')?.startsWith('text/html') !== true)
    headers.set('content-security-policy', "default-src 'none'")
}

/** Any origin may read the public API, which has no cookies; the operator's area stays closed. */
function isPublic(path: string): boolean {
  return !path.startsWith('/admin')
}

export function preflight(path: string, methods: readonly string[]): Response {
  const headers = new Headers({ allow: methods.join(', ') })
  if (isPublic(path)) {
    headers.set('access-control-allow-methods', methods.join(', '))
    // Some payment clients send the name of a response header with their request.
    headers.set('access-control-allow-headers', values.allowed)
    headers.set('access-control-max-age', '86400')
  }
  return new Response(null, { status: 204, headers })
}

export function redirectTo(target: Target): Response {
  return new Response(null, { status: 308, headers: { location: targetOf(target) } })
}

export async function headResponse(response: Response): Promise<Response> {
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

/** Pages load scripts, styles, fonts and pictures from this origin only, and cannot be framed. */
export const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': values.pages,
}

/** An HTML document with the content security policy of all our pages. `null`: the answer to HEAD. */
export function htmlResponse(
  page: Markup | null,
  { status = 200, headers }: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
): Response {
  return new Response(page && document(page), { status, headers: { ...htmlHeaders, ...headers } })
}

/** JSON in lines for people at a terminal, uncached. `Response.json` writes another content type on each runtime. */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(value, null, 2)}\n`, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
