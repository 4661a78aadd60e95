import type { ServedAsset } from '../assets/asset.ts'
import { freeResponse } from './free-response.ts'
import { createMetered, type MeteredDeps } from './metered.ts'
import { createRequestParser, type ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

export interface AssetHandlerDeps extends Omit<MeteredDeps, 'remember'> {
  readonly assets: readonly ServedAsset[]
}

export interface AssetHandler {
  /** Every path that assets have. */
  readonly paths: readonly string[]
  /** Reads a request for an asset. Throws the `Problem` that names every wrong parameter. */
  parse(context: RequestContext): ParsedRequest
  /** Answers a GET without the router; returns undefined for every other request. */
  shortcut(context: RequestContext): Promise<Response> | undefined
  /** Answers a request for an asset that came through the router, such as HEAD. */
  answer(context: RequestContext): Promise<Response>
}

/** Answers requests for assets, whichever asset it is. */
export function createAssetHandler({ assets, ...deps }: AssetHandlerDeps): AssetHandler {
  const parser = createRequestParser(assets)
  const metered = createMetered({ ...deps, remember: parser.remember })

  function answer(call: ParsedRequest, context: RequestContext): Promise<Response> {
    if (call.asset.priceMicros !== undefined) return metered.answer(call, context)
    parser.remember(call, context)
    return freeResponse(call, context)
  }

  return {
    paths: parser.paths,
    parse: parser.read,
    shortcut(context) {
      const call = context.method === 'GET' ? parser.find(context) : undefined
      return call && answer(call, context)
    },
    answer: (context) => answer(parser.read(context), context),
  }
}
