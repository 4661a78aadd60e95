import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { decodeQuery } from '../src/http/query.ts'
import { createRouter, queryOf } from '../src/http/router.ts'
import { retryWhileLocked } from '../src/store/store-error.ts'
import { brandFormLimits } from './brands/brand-actions.ts'
import type { AdminDeps } from './deps.ts'
import type { ListRoutes } from './lists/list.tsx'
import type {
  ActionForm,
  AdminHandler,
  AdminRequest,
  ChangeHandler,
  RefuseUpload,
  RoutedRequest,
  SessionGuard,
  UploadHandler,
} from './session/guard.ts'
import type { createFreshPasswordRule } from './session/login.tsx'

const noQuery = Type.Object({})

export function createRoutes(
  deps: AdminDeps,
  guard: SessionGuard,
  requireFreshPassword: ReturnType<typeof createFreshPasswordRule>,
) {
  const router = createRouter('admin')

  function page<Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>>,
    query?: Query,
  ): void {
    const respond = guard.page(handler)
    router.get(path, (routed: RoutedRequest<Static<Query>>) => respond(routed), {
      query: listQuery(query ?? noQuery),
    })
  }

  function action<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>, Static<Fields>>,
    form?: ActionForm<Fields>,
    query?: Query,
  ): void {
    const respond = guard.action(handler, form)
    router.post(path, (routed: RoutedRequest<Static<Query>>) => respond(routed), {
      parse: 'none',
      query: listQuery(query ?? noQuery),
    })
  }

  return {
    router,
    page,
    action,
    /** An action that runs in one transaction. */
    change<Fields extends TObject, Query extends TObject>(
      path: string,
      handler: ChangeHandler<Static<Query>, Static<Fields>>,
      form?: ActionForm<Fields>,
      query?: Query,
    ): void {
      action(path, guard.inTransaction(handler), form, query)
    },
    upload(path: string, handler: UploadHandler, refuse: RefuseUpload): void {
      const respond = guard.upload(handler, brandFormLimits, refuse)
      router.post(path, (routed: RoutedRequest) => respond(routed), { parse: 'none' })
    },
    /**
     * The page of a list, and the file of all its rows: by GET, or by POST from the page that asks for the password. Each
     * file adds an audit entry.
     */
    list({ path, query, page: listPage, csv }: ListRoutes): void {
      page(path, (request) => listPage(deps, request), query)
      if (csv === undefined) return
      const confirmed = requireFreshPassword(
        'Data in bulk leaves only with a fresh password.',
        async (request: AdminRequest) => {
          const { method, path: exported } = request.context
          if (method !== 'HEAD') await retryWhileLocked(() => request.audit('export', exported))
          return csv.respond(deps, request)
        },
      )
      page(`${path}.csv`, confirmed, csv.query)
      action(`${path}.csv`, confirmed, undefined, csv.query)
    },
  }
}

/**
 * The `query` of a route of the operator's area. It is read before the session is looked at, so a mistake must not show
 * strangers that the route is there.
 */
function listQuery<Query extends TObject>(parameters: Query): TUnsafe<Static<Query>> {
  return queryOf(parameters, ({ rawQuery }) => readListQuery(parameters, rawQuery))
}

/** A wrong value counts as missing, because an old bookmark must still open its list. All parameters may be missing. */
export function readListQuery<Query extends TObject>(parameters: Query, rawQuery: string): Static<Query> {
  const decoded = decodeQuery(parameters, rawQuery)
  if ('value' in decoded) return decoded.value
  return { ...readListQuery(parameters, ''), ...decoded.right }
}
