import type { ServedAsset } from '../assets/asset.ts'
import { assetHeaders } from './asset-headers.ts'
import { compress, encodingFor } from './compression.ts'
import { createFrontCache } from './front-cache.ts'
import { createMetered, type MeteredDeps } from './metered.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'
import { createRequestParser } from './request-parser.ts'

type AssetHandlerDeps = Omit<MeteredDeps, 'remember'> & { readonly assets: readonly ServedAsset[] }

export type AssetHandler = ReturnType<typeof createAssetHandler>

/** Answers requests for every asset. */
export function createAssetHandler({ assets, ...deps }: AssetHandlerDeps) {
  const parser = createRequestParser(assets)
  const frontCache = createFrontCache()
  const metered = createMetered({ ...deps, remember: frontCache.remember })

  /** Returns no promise where there is nothing to wait for. */
  function answer(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    const check = parsed.resolved?.recheck()
    if (check !== undefined) return check.then(() => answerNow(parser.read(context), context))
    return answerNow(parsed, context)
  }

  function answerNow(parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> {
    if (parsed.asset.priceMicros !== undefined) return metered.answer(parsed, context)
    frontCache.remember(parsed, context)
    return freeResponse(parsed, context)
  }

  return {
    /** Every path that assets have, with the parameters that its route declares. */
    routes: parser.routes,
    /** Reads a request for an asset. Throws the `Problem` that names every wrong parameter. */
    parse: parser.read,
    answer,
    recall: frontCache.recall,
    /** Answers a GET whose URL was parsed before and still means the same; returns undefined for every other request. */
    answerRepeated(context: RequestContext): Response | Promise<Response> | undefined {
      const { method, recalled } = context
      const isRepeated =
        method === 'GET' && recalled !== undefined && recalled.resolved?.isCurrent() !== false
      return isRepeated ? answer(recalled, context) : undefined
    },
  }
}

/** Answers a request for a free asset. It is rendered each time, but not for HEAD, and has no ETag. */
export async function freeResponse(parsed: ParsedRequest, context: RequestContext): Promise<Response> {
  const { asset, producer, query, cacheSeconds } = parsed
  context.logFields.asset = asset.id
  if ('answer' in producer) throw new Error('Live assets are metered.')
  const { contentType, filename } = producer.describe(query)
  const encoding = encodingFor(context.request, contentType)
  const cacheControl = `public, max-age=${cacheSeconds}`
  const headers = assetHeaders({ path: asset.path, contentType, cacheControl, encoding })
  headers.set('content-disposition', `inline; filename="${filename}"`)
  if (context.method === 'HEAD') return new Response(null, { headers })
  const body = await producer.produce(query, context)
  return new Response(encoding === undefined ? body : await compress(encoding, body), { headers })
}
