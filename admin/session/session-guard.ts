import { Problem } from '../../src/errors.ts'
import { contextOf, type RequestContext } from '../../src/http/request-context.ts'
import { targetOf } from '../../src/http/target.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Store } from '../../src/store/open.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { AdminHandler, AdminRequest } from './admin-request.ts'
import { readForm, replaceNuls, withoutNuls } from './read-form.ts'
import { hostOf, requireSameOrigin } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'
import type { Session, Sessions } from './sessions.ts'

/** What the router passes to a handler. */
export interface RoutedRequest {
  readonly request: Request
  /** Undefined if the path has no parameters. A parameter is null if its percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>> | undefined
}

export interface SessionGuardDeps {
  readonly sessions: Sessions
  readonly store: Pick<Store, 'audit' | 'transaction'>
  readonly clock: Clock
  /** The only host name that serves the area; undefined allows every host. */
  readonly adminHost: string | undefined
}

export type SessionGuard = ReturnType<typeof createSessionGuard>

/** Lets only logged-in operators reach a handler, and accepts writes from our own pages only. */
export function createSessionGuard(deps: SessionGuardDeps) {
  const { sessions, store, adminHost } = deps

  /** Throws `not_found` if the area is not served on the request's host. */
  function requireAdminHost(request: Request): RequestContext {
    const context = contextOf(request)
    const host = hostOf(context.request.headers)
    if (adminHost !== undefined && host !== adminHost && host.replace(/:\d+$/, '') !== adminHost)
      throw new Problem('not_found', 'There is nothing at this path.')
    return context
  }

  function sessionOf(context: RequestContext): Session | undefined {
    const token = readSessionCookie(context)
    return token ? sessions.find(token) : undefined
  }

  /** A GET page. Without a session it redirects to the login, which leads back here. */
  function page(handler: AdminHandler) {
    return async (routed: RoutedRequest): Promise<Response> => {
      const context = requireAdminHost(routed.request)
      const session = sessionOf(context)
      if (!session) return redirect(`/admin/login?${new URLSearchParams({ next: targetOf(context) })}`)
      const form = new URLSearchParams()
      return adminResponse(await handler(adminRequest(deps, routed, { context, session, form })))
    }
  }

  /** A POST action. */
  function action(handler: AdminHandler) {
    return async (routed: RoutedRequest): Promise<Response> => {
      const context = requireAdminHost(routed.request)
      requireSameOrigin(context)
      const session = sessionOf(context)
      if (!session) return redirect('/admin/login')
      const form = await readForm(routed.request)
      return adminResponse(await handler(adminRequest(deps, routed, { context, session, form })))
    }
  }

  /** Runs the handler in one durable transaction, audit entries included. Waits for the write lock asynchronously. */
  function inTransaction(handler: (request: AdminRequest) => Markup | Response): AdminHandler {
    return (request) => retryWhileLocked(() => store.transaction(() => handler(request), { durable: true }))
  }

  return { requireAdminHost, sessionOf, page, action, inTransaction }
}

function adminRequest(
  { store, clock }: SessionGuardDeps,
  { params }: RoutedRequest,
  { context, session, form }: Pick<AdminRequest, 'context' | 'session' | 'form'>,
): AdminRequest {
  return {
    context,
    session,
    query: withoutNuls(new URLSearchParams(context.rawQuery)),
    form: withoutNuls(form),
    params: Object.fromEntries(
      Object.entries(params ?? {}).map(([name, value]) => [name, replaceNuls(value ?? '')]),
    ),
    audit(action, subject, detail = '') {
      if (context.method === 'HEAD') return
      const { clientAddress: address } = context
      store.audit.add({ atMs: clock.now(), actor: session.name, address, action, subject, detail })
    },
  }
}
