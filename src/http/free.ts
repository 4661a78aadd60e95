import type { Call } from './calls.ts'
import type { Exchange } from './exchange.ts'
import { inertSvg } from './response-headers.ts'

/** Fresh enough for a badge on a page, old enough that a crowd does not ask each second. */
const defaultSeconds = 10

/** Answers a call that costs nothing: made anew each time, kept by nobody for long. */
export async function answerFree(call: Call, exchange: Exchange): Promise<Response> {
  const { producer } = call
  exchange.notes.asset = producer.asset.id
  if ('answer' in producer) throw new Error('Live answers are metered.')
  const { body, contentType, filename } = await producer.produce(call.query, exchange)
  const headers = new Headers({
    'content-type': contentType,
    'content-disposition': `inline; filename="${filename}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${call.cacheSeconds ?? defaultSeconds}`,
  })
  if (contentType.startsWith('image/svg+xml')) headers.set('content-security-policy', inertSvg)
  return new Response(body, { headers })
}
