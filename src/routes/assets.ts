import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { AssetHandler } from '../http/asset-handler.ts'
import { contextOf } from '../http/request-context.ts'
import { queryOf } from '../http/validated-queries.ts'

/** The paths of signed addresses, of which the parser tells which are none. */
export const addressRoute = '/i/*'

/** `GET` of every asset at each of its paths. A handler gets the parsed request as its query. */
export function assetRoutes({ routes, parse, answer }: AssetHandler) {
  const router = new Elysia({ name: 'assets' })
  for (const { path, parameters } of [...routes, { path: addressRoute, parameters: Type.Object({}) }])
    router.get(path, ({ query, request }) => answer(query, contextOf(request)), {
      query: queryOf(parameters, parse),
    })
  return router
}
