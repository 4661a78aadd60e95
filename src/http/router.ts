import { Elysia } from 'elysia'
import { createFallback } from './methods.ts'
import { contextOf } from './request-context.ts'
import { type DeclaringRoute, validatedQueries } from './validated-queries.ts'

/**
 * A router that validates the query that each of its routes declares, and leaves errors to the request pipeline, which
 * turns them into problems.
 */
export function createRouter(name: string) {
  const router = new Elysia({ name, strictPath: true })
    .onError(({ error, code, request }) => {
      // Only here an unrouted method can be told from an unknown path.
      if (code === 'NOT_FOUND') return fallback(contextOf(request))
      // The router wraps an error of a route's own body parser.
      throw code === 'PARSE' ? error.cause : error
    })
    .use(validatedQueries(routes))
  const fallback = createFallback(routes)
  function routes(): readonly DeclaringRoute[] {
    return router.routes
  }
  return router
}
