import { Elysia } from 'elysia'
import type { ServedAsset } from '../assets/kit/asset.ts'
import { assetHeaders } from './asset-headers.ts'
import { compress, encodingFor } from './compression.ts'
import { createFrontCache } from './front-cache.ts'
import { createMetered, type MeteredDeps } from './metered.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import { createRequestParser, type RequestParser } from './request-parser.ts'
import { queryOf } from './validated-queries.ts'

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
    /** Lists assets among the routes, for documents and for requests with other methods. */
    router: assetRouter(parser, answer),
    /** Every path that leads to assets. */
    paths: parser.routes.map(({ path }) => path),
    /** Reads a request for an asset. Throws the `Problem` that names every wrong parameter. */
    parse: parser.read,
    recall: frontCache.recall,
    /** Answers GET and HEAD of an asset; returns undefined for every other request, which the router answers. */
    answerAsset(context: RequestContext): Response | Promise<Response> | undefined {
      const { method, path } = context
      const isAsset = (method === 'GET' || method === 'HEAD') && parser.isAsset(path)
      return isAsset ? answer(parser.read(context), context) : undefined
    },
    /** Answers a GET whose URL was parsed before and still means the same; returns undefined for every other request. */
    answerRepeated(context: RequestContext): Response | Promise<Response> | undefined {
      const { method, recalled } = context
      const isRepeated =
        method === 'GET' && recalled !== undefined && recalled.resolved?.isCurrent() !== false
      return isRepeated ? answer(recalled, context) : undefined
    },
  }
}

type Answer = (parsed: ParsedRequest, context: RequestContext) => Response | Promise<Response>

/** A route for each path of assets. A handler gets the parsed request as its query. */
function assetRouter({ routes, read }: RequestParser, answer: Answer) {
  const router = new Elysia({ name: 'assets' })
  for (const { path, parameters } of routes)
    router.get(path, ({ query, request }) => answer(query, contextOf(request)), {
      query: queryOf(parameters, read),
    })
  return router
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
