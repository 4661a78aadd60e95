import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Problem } from '../errors.ts'
import { readQuery } from './query.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import { preflight, redirectTo } from './responses.ts'

/** Validates the query that each route declares. Errors are left to the request pipeline, which turns them into problems. */
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

/** Returns what a handler gets as its `query`, or throws the `Problem` that names every wrong parameter. */
type ReadRoute<Value> = (context: RequestContext, body: unknown) => Value

interface DeclaredQuery {
  readonly parameters: TObject
  readonly read: ReadRoute<unknown>
}

/** Types, documents and validation follow from it. `read` adds rules about several parameters, or about a parsed body. */
export function queryOf<Query extends TObject, Value = Static<Query>>(
  parameters: Query,
  read: ReadRoute<Value> = ({ rawQuery }) => readQuery(parameters, rawQuery) as Value,
): TUnsafe<NoInfer<Value>> {
  const declared: DeclaredQuery = { parameters, read }
  // Elysia's own check keeps the last of repeated parameters, forgives bad percent-encoding and reads 0x20 as 32.
  return Type.Unsafe<Value>(Type.Object({}, { additionalProperties: true, noValidate: true, declared }))
}

export function parametersOfRoute(hooks: DeclaringRoute['hooks']): TObject | undefined {
  return declaredIn(hooks)?.parameters
}

interface DeclaringRoute {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly query?: unknown }
}

export function validatedQueries(routes: () => readonly DeclaringRoute[]) {
  let readers: ReadonlyMap<string, ReadRoute<unknown>> | undefined
  return new Elysia({ name: 'validated-queries' }).onTransform({ as: 'global' }, (context) => {
    const { request } = context
    readers ??= new Map(
      routes().flatMap(({ method, path, hooks }) => {
        const declared = declaredIn(hooks)
        return declared ? [[`${method} ${path}`, declared.read]] : []
      }),
    )
    const read = readers.get(`${request.method} ${context.route}`)
    if (read) context.query = read(contextOf(request), context.body) as typeof context.query
  })
}

function declaredIn({ query }: DeclaringRoute['hooks']): DeclaredQuery | undefined {
  return (query as { readonly declared?: DeclaredQuery } | undefined)?.declared
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers OPTIONS, a wrong method (405), a known path with a slash behind it (308) and unknown paths (404). */
function createFallback(routes: () => readonly DeclaringRoute[]): (context: RequestContext) => Response {
  let table: { readonly method: string; readonly pattern: RegExp }[] | undefined
  function methodsAt(path: string): ReadonlySet<string> {
    table ??= routes().map((route) => ({ method: route.method, pattern: patternOf(route.path) }))
    return new Set(table.filter(({ pattern }) => pattern.test(path)).map((route) => route.method))
  }

  return ({ method, path, rawQuery }) => {
    const found = methodsAt(path)
    if (found.size === 0) {
      const bare = path.replace(/\/$/, '')
      if (bare === path || methodsAt(bare).size === 0)
        throw new Problem('not_found', 'There is nothing at this path.')
      return redirectTo({ path: bare, rawQuery })
    }
    const routed = methodOrder.filter((candidate) => found.has(candidate))
    const methods = [...routed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])), 'OPTIONS']
    if (method === 'OPTIONS') return preflight(path, methods)
    const allow = methods.join(', ')
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } })
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
    .join('/')
  return new RegExp(`^${source}$`)
}
