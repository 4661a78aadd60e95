import { assetHeaders } from './asset-headers.ts'
import { compress, isCompressible, negotiateEncoding } from './compression.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

/** For how many seconds a free asset may be cached unless the caller says otherwise. */
const defaultSeconds = 10

/** Answers a request for a free asset. It is rendered each time, but not for HEAD, and has no ETag. */
export async function freeResponse(call: ParsedRequest, context: RequestContext): Promise<Response> {
  const { asset, producer, query, cacheSeconds = defaultSeconds } = call
  context.logFields.asset = asset.id
  if ('answer' in producer) throw new Error('Live assets are metered.')
  const { contentType, filename } = producer.describe(query)
  const accepted = negotiateEncoding(context.request.headers.get('accept-encoding'))
  const encoding = isCompressible(contentType) ? accepted : undefined
  const cacheControl = `public, max-age=${cacheSeconds}`
  const headers = assetHeaders({ path: asset.path, contentType, cacheControl, encoding })
  headers.set('content-disposition', `inline; filename="${filename}"`)
  if (context.method === 'HEAD') return new Response(null, { headers })
  const body = await producer.produce(query, context)
  return new Response(encoding === undefined ? body : await compress(encoding, body), { headers })
}
