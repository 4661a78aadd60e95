import { attachContext, type RequestContext } from './request-context.ts'
import { checkFields, readBody } from './request-sizes.ts'
import { targetOf } from './target.ts'

/**
 * Returns the request for the router. A GET that the router reads as we do is the request that arrived; making another is
 * most of what routing costs. Any other has a fixed host, because the router searches the URL for the path from its
 * twelfth character. Throws if the body is a form of too many fields.
 */
export function routedRequest(context: RequestContext, body?: Uint8Array<ArrayBuffer>): Request {
  const { request, method } = context
  if (method === 'GET' && isReadAlike(context)) {
    attachContext(request, context)
    return request
  }
  const url = `http://mintmark${targetOf(context)}`
  if (body !== undefined) checkFields(body, request.headers.get('content-type'))
  const routed = new Request(url, {
    method: routedMethod(method),
    headers: request.headers,
    body: body ?? null,
  })
  attachContext(routed, context)
  return routed
}

/**
 * The body of the request for the router, read completely, so that the limit of size holds for every handler but those that
 * read it themselves.
 */
export async function routedBody(context: RequestContext): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { request, method, head, handlerReadsBody } = context
  if (method === 'GET' || method === 'HEAD' || handlerReadsBody === true) return undefined
  return await readBody(request, head)
}

/** Whether the router finds the path of the context in the URL that arrived: compatibility URLs have another. */
function isReadAlike(context: RequestContext): boolean {
  const { url } = context.request
  return url.slice(url.indexOf('/', 11)) === targetOf(context)
}

/** Methods that the Fetch standard refuses in a `Request`, though servers pass them on. */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** HEAD is routed as GET. OPTIONS has no route, so it leads to the fallback, which reads the true method. */
function routedMethod(method: string): string {
  if (method === 'HEAD') return 'GET'
  return forbiddenMethods.has(method) ? 'OPTIONS' : method
}
