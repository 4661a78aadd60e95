import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { Problem } from '../src/errors.ts'
import type { MultipartForm } from '../src/http/multipart-form.ts'
import { decodeQuery } from '../src/http/query.ts'
import { createRouter, queryOf } from '../src/http/router.ts'
import { retryWhileLocked } from '../src/store/store-error.ts'
import { brandFormLimits } from './brands/brand-actions.ts'
import type { AdminDeps } from './deps.ts'
import type { ListRoutes } from './lists/list.tsx'
import { adminResponse } from './parts/layout.tsx'
import { decodeForm } from './session/form-fields.ts'
import {
  type AdminHandler,
  type AdminRequest,
  type Answer,
  type ChangeHandler,
  type RoutedRequest,
  readForm,
  type SessionGuard,
} from './session/guard.ts'
import type { createFreshPasswordRule } from './session/login.tsx'

interface ActionForm<Fields extends TObject> {
  readonly fields: Fields
  /** Answers a form with a mistake, which does not reach the handler. */
  readonly refuse?: (mistake: string, request: AdminRequest) => Promise<Response>
}

export type UploadHandler = (request: AdminRequest, upload: MultipartForm) => Answer | Promise<Answer>

/** Answers a form that cannot be read: it is too large, or not what a browser sends. */
export type RefuseUpload = (problem: Problem, request: AdminRequest) => Promise<Response>

const nothing = Type.Object({})
const buttonOnly = { fields: nothing }

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
    async function respond(routed: RoutedRequest<Static<Query>>): Promise<Response> {
      const request = await guard.enter(routed, false)
      return request instanceof Response ? request : adminResponse(await handler(request))
    }
    router.get(path, respond, { query: listQuery(query ?? nothing) })
  }

  function action<Fields extends TObject, Query extends TObject>(
    path: string,
    handler: AdminHandler<Static<Query>, Static<Fields>>,
    { fields, refuse }: ActionForm<Fields> = buttonOnly as ActionForm<TObject> as ActionForm<Fields>,
    query?: Query,
  ): void {
    async function respond(routed: RoutedRequest<Static<Query>>): Promise<Response> {
      const entered = await guard.enter(routed, true)
      if (entered instanceof Response) return entered
      const sent = await readForm(routed.request)
      const { value: form, mistake } = decodeForm(fields, sent)
      const request = { ...entered, form, sent }
      return mistake !== undefined && refuse
        ? refuse(mistake, request)
        : adminResponse(await handler(request))
    }
    router.post(path, respond, { parse: 'none', query: listQuery(query ?? nothing) })
  }

  return {
    router,
    page,
    action,
    change<Fields extends TObject, Query extends TObject>(
      path: string,
      handler: ChangeHandler<Static<Query>, Static<Fields>>,
      form?: ActionForm<Fields>,
      query?: Query,
    ): void {
      action(path, guard.inTransaction(handler), form, query)
    },
    upload(path: string, handler: UploadHandler, refuse: RefuseUpload, limits = brandFormLimits): void {
      async function respond(routed: RoutedRequest): Promise<Response> {
        const request = await guard.enter(routed, true)
        if (request instanceof Response) return request
        const form = await guard.readUpload(request, limits)
        return form instanceof Problem ? refuse(form, request) : adminResponse(await handler(request, form))
      }
      router.post(path, respond, { parse: 'none' })
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
