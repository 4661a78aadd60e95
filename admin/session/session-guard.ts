import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Problem } from '../../src/errors.ts'
import { type MultipartForm, type MultipartLimits, readMultipartForm } from '../../src/http/multipart-form.ts'
import { contextOf, type RequestContext } from '../../src/http/request-context.ts'
import { targetOf } from '../../src/http/target.ts'
import { createFairLimiter, LimiterFull } from '../../src/lib/fair-limiter.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Executable } from '../../src/store/operation.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import {
  type AdminHandler,
  type AdminRequest,
  createAdminRequest,
  type RoutedRequest,
  readForm,
} from './admin-request.ts'
import { decodeForm } from './form-fields.ts'
import { hostOf, requireSameOrigin } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'
import type { Session, Sessions } from './sessions.ts'

/** Steps of one transaction. A page that they lead to is made when it is over. */
type ChangeHandler<Query, Form> = (request: AdminRequest<Query, Form>) => Executable<Answer | Promise<Answer>>
type Answer = Markup | Response

/** Handles a form with files. */
export type UploadHandler = (request: AdminRequest, upload: MultipartForm) => Answer | Promise<Answer>

/** The fields that an action reads, and its answer to a form with a mistake. */
export interface ActionForm<Fields extends TObject> {
  readonly fields: Fields
  readonly refuse?: (mistake: string, request: AdminRequest) => Promise<Response>
}

/** Answers a form that cannot be read: it is too large, or not what a browser sends. */
export type RefuseUpload = (problem: Problem, request: AdminRequest) => Promise<Response>

/** Forms with files that are read at once in one process. */
const readingMax = 4

export type SessionGuard = ReturnType<typeof createSessionGuard>

/** Lets only logged-in operators reach a handler, and accepts writes from our own pages only. */
export function createSessionGuard(deps: AdminDeps, sessions: Sessions) {
  const { ADMIN_HOST: adminHost } = deps.config
  const readingForms = createFairLimiter({ runningMax: readingMax, waitingMax: 20 })

  /** Throws `not_found` if the area is not served on the request's host. */
  function requireAdminHost(request: Request): RequestContext {
    const context = contextOf(request)
    const host = hostOf(context.request.headers)
    if (adminHost !== undefined && host !== adminHost && host.replace(/:\d+$/, '') !== adminHost)
      throw new Problem('not_found', 'There is nothing at this path.')
    return context
  }

  async function sessionOf(context: RequestContext): Promise<Session | undefined> {
    const token = readSessionCookie(context)
    return token ? await sessions.find(token) : undefined
  }

  /** A GET page. Without a session it redirects to the login, which leads back here. */
  function page<Query>(handler: AdminHandler<Query>) {
    return async (routed: RoutedRequest<Query>): Promise<Response> => {
      const context = requireAdminHost(routed.request)
      const session = await sessionOf(context)
      if (!session) return redirect(`/admin/login?${new URLSearchParams({ next: targetOf(context) })}`)
      return adminResponse(await handler(createAdminRequest(deps, routed, { context, session, ...noForm })))
    }
  }

  /** A POST action. A form with a mistake does not reach it. */
  function action<Query, Fields extends TObject>(
    handler: AdminHandler<Query, Static<Fields>>,
    { fields, refuse }: ActionForm<Fields> = buttonOnly as ActionForm<TObject> as ActionForm<Fields>,
  ) {
    return async (routed: RoutedRequest<Query>): Promise<Response> => {
      const context = requireAdminHost(routed.request)
      requireSameOrigin(context)
      const session = await sessionOf(context)
      if (!session) return redirect('/admin/login')
      const sent = await readForm(routed.request)
      const { value: form, mistake } = decodeForm(fields, sent)
      const request = createAdminRequest(deps, routed, { context, session, form, sent })
      return mistake !== undefined && refuse
        ? refuse(mistake, request)
        : adminResponse(await handler(request))
    }
  }

  /**
   * A POST action whose form has files. Its body is much larger than any other, so it is read only now: it comes from an
   * operator, by a page of ours. A form that cannot be read is answered with `refuse`.
   */
  function upload(handler: UploadHandler, limits: MultipartLimits, refuse: RefuseUpload) {
    return async (routed: RoutedRequest): Promise<Response> => {
      const context = requireAdminHost(routed.request)
      requireSameOrigin(context)
      const session = await sessionOf(context)
      if (!session) return redirect('/admin/login')
      const request = createAdminRequest(deps, routed, {
        context,
        session,
        form: {},
        sent: new URLSearchParams(),
      })
      const form = await readingForms
        .run({ name: session.id, waiter: context.waiter }, () => readMultipartForm(context.request, limits))
        .catch(asProblem)
      return form instanceof Problem ? refuse(form, request) : adminResponse(await handler(request, form))
    }
  }

  /**
   * Runs the handler in one durable transaction, audit entries included, after those of other operators. Waits for the
   * write lock asynchronously.
   */
  function inTransaction<Query, Form>(handler: ChangeHandler<Query, Form>): AdminHandler<Query, Form> {
    return async (request) =>
      await retryWhileLocked(() =>
        deps.store.transaction(() => handler(request), { durable: true, locks: ['operator'] }),
      )
  }

  return { requireAdminHost, sessionOf, page, action, upload, inTransaction }
}

/** For actions whose form is only a button. */
const buttonOnly = { fields: Type.Object({}) }

const noForm = { form: {}, sent: new URLSearchParams() }

/** Turns an error of reading a form into a Problem. Rethrows an error that is not the form's fault. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof LimiterFull)) throw error
  return new Problem('busy', 'Too many forms with files are sent at this moment.', { cause: error })
}
