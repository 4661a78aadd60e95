import { Elysia } from 'elysia'
import type { AssetHandler } from '../http/asset-handler.ts'
import { contextOf } from '../http/request-context.ts'
import { queryOf } from '../http/validated-queries.ts'

/** `GET` of every asset at each of its paths. A handler gets the parsed request as its query. */
export function assetRoutes({ routes, parse, answer }: AssetHandler) {
  const router = new Elysia({ name: 'assets' })
  for (const { path, parameters } of routes)
    router.get(path, ({ query, request }) => answer(query, contextOf(request)), {
      query: queryOf(parameters, parse),
    })
  return router
}
