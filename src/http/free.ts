import { compress, isCompressible, negotiateEncoding } from './compression.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'
import { inertSvg } from './response-headers.ts'

/** Fresh enough for a badge on a page, old enough that a crowd does not ask each second. */
const defaultSeconds = 10

/** Answers a call that costs nothing: made anew each time, kept by nobody for long. HEAD makes nothing. */
export async function answerFree(call: ParsedRequest, context: RequestContext): Promise<Response> {
  const { producer } = call
  context.logFields.asset = call.asset.id
  if ('answer' in producer) throw new Error('Live answers are metered.')
  const { contentType, filename } = producer.describe(call.query)
  const accepted = negotiateEncoding(context.request.headers.get('accept-encoding'))
  const encoding = isCompressible(contentType) ? accepted : undefined
  const headers = new Headers({
    'content-type': contentType,
    'content-disposition': `inline; filename="${filename}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${call.cacheSeconds ?? defaultSeconds}`,
  })
  if (contentType.startsWith('image/svg+xml')) headers.set('content-security-policy', inertSvg)
  if (encoding !== undefined) {
    headers.set('content-encoding', encoding)
    headers.set('vary', 'Accept-Encoding')
  }
  if (context.method === 'HEAD') return new Response(null, { headers })
  const body = await producer.produce(call.query, context)
  return new Response(encoding === undefined ? body : await compress(encoding, body), { headers })
}
