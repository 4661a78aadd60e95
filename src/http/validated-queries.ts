import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readQuery } from './query.ts'
import { contextOf, type RequestContext } from './request-context.ts'

/** Returns what a handler gets as its `query`, or throws the `Problem` that names every wrong parameter. */
type ReadRoute<Value> = (context: RequestContext, body: unknown) => Value

interface DeclaredQuery {
  readonly parameters: TObject
  readonly read: ReadRoute<unknown>
}

/**
 * The `query` of a route: Elysia takes the handler's types from it, documents take its parameters, and `validatedQueries`
 * validates the request. `read` adds rules that are about several parameters, or about the body that the route parsed.
 */
export function queryOf<Query extends TObject, Value = Static<Query>>(
  parameters: Query,
  read: ReadRoute<Value> = ({ rawQuery }) => readQuery(parameters, rawQuery) as Value,
): TUnsafe<NoInfer<Value>> {
  const declared: DeclaredQuery = { parameters, read }
  // Elysia's own check keeps the last of repeated parameters, forgives bad percent-encoding and reads 0x20 as 32.
  return Type.Unsafe<Value>(Type.Object({}, { additionalProperties: true, noValidate: true, declared }))
}

/** Returns the parameters that a route declares as its `query`; undefined if it declares none. */
export function parametersOfRoute(hooks: RouteHooks): TObject | undefined {
  return declaredIn(hooks)?.parameters
}

interface RouteHooks {
  readonly query?: unknown
}

export interface DeclaringRoute {
  readonly method: string
  readonly path: string
  readonly hooks: RouteHooks
}

/** The plugin that validates the query of every route that declares one, before its handler. */
export function validatedQueries(routes: () => readonly DeclaringRoute[]) {
  let readers: ReadonlyMap<string, ReadRoute<unknown>> | undefined
  return new Elysia({ name: 'validated-queries' }).onTransform({ as: 'global' }, (context) => {
    const { request } = context
    readers ??= readersOf(routes())
    const read = readers.get(`${request.method} ${context.route}`)
    if (read) context.query = read(contextOf(request), context.body) as typeof context.query
  })
}

function readersOf(routes: readonly DeclaringRoute[]): ReadonlyMap<string, ReadRoute<unknown>> {
  return new Map(
    routes.flatMap(({ method, path, hooks }) => {
      const declared = declaredIn(hooks)
      return declared ? [[`${method} ${path}`, declared.read] as const] : []
    }),
  )
}

function declaredIn({ query }: RouteHooks): DeclaredQuery | undefined {
  return (query as { readonly declared?: DeclaredQuery } | undefined)?.declared
}
