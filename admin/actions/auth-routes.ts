import { Elysia } from 'elysia'
import type { RequestContext } from '../../src/http/request-context.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { passwordMistake } from '../../src/lib/password.ts'
import type { Store } from '../../src/store/open.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import { loginPage, setupPendingPage } from '../pages/login.tsx'
import { setupExpiredPage, setupPage } from '../pages/setup.tsx'
import type { LoginOrigins } from '../session/login-origins.ts'
import type { OperatorPassword } from '../session/operator-password.ts'
import { describeRefusal, type PasswordCheck } from '../session/password-check.ts'
import { readForm } from '../session/read-form.ts'
import { requireSameOrigin } from '../session/same-origin.ts'
import { writeSessionCookie } from '../session/session-cookie.ts'
import type { RoutedRequest, SessionGuard } from '../session/session-guard.ts'
import { type Sessions, sessionIdOf } from '../session/sessions.ts'
import { loginOriginOf } from './require-fresh-password.ts'

export interface AuthRoutesDeps {
  readonly guard: SessionGuard
  readonly password: OperatorPassword
  readonly checkPassword: PasswordCheck
  readonly sessions: Sessions
  readonly origins: LoginOrigins
  readonly store: Pick<Store, 'audit' | 'transaction'>
  readonly clock: Clock
}

/** Login, set-up by the one-time link, and logout: the only pages without a session. */
export function authRoutes(deps: AuthRoutesDeps) {
  const { guard, sessions } = deps
  const login = createLogin(deps)
  const setup = createSetup(deps)
  const logout = guard.action(
    guard.inTransaction(({ session, context, audit }) => {
      sessions.end(session.id)
      audit('logout', '')
      return redirect('/admin/login', { 'set-cookie': writeSessionCookie('', context.baseUrl) })
    }),
  )
  return new Elysia({ name: 'admin-auth' })
    .get('/admin/login', login.page)
    .post('/admin/login', login.submit, { parse: 'none' })
    .get('/admin/setup', setup.page)
    .post('/admin/setup', setup.submit, { parse: 'none' })
    .post('/admin/logout', logout, { parse: 'none' })
}

function createLogin(deps: AuthRoutesDeps) {
  const { guard, password, checkPassword } = deps

  function page({ request }: RoutedRequest): Response {
    const context = guard.requireAdminHost(request)
    if (guard.sessionOf(context)) return redirect('/admin')
    if (!password.isSet()) return adminResponse(setupPendingPage())
    return adminResponse(loginPage(safeNext(new URLSearchParams(context.rawQuery).get('next'))))
  }

  async function submit({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const form = await readForm(request)
    const next = safeNext(form.get('next'))
    const verdict = await checkPassword(loginOriginOf(context), form.get('password') ?? '')
    if (verdict === 'right') return await startSession(deps, context, { action: 'login', next })
    if (verdict === 'wrong') await retryWhileLocked(() => audit(deps, context, '', 'login.refused'))
    const { status, problem, headers } = describeRefusal(verdict)
    return adminResponse(loginPage(next, problem), status, headers)
  }

  return { page, submit }
}

function createSetup(deps: AuthRoutesDeps) {
  const { guard, password } = deps

  function page({ request }: RoutedRequest): Response {
    const token = new URLSearchParams(guard.requireAdminHost(request).rawQuery).get('token') ?? ''
    return adminResponse(password.isSetupToken(token) ? setupPage(token) : setupExpiredPage())
  }

  async function submit({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const form = await readForm(request)
    const token = form.get('token') ?? ''
    const chosen = form.get('password') ?? ''
    if (!password.isSetupToken(token)) return adminResponse(setupExpiredPage(), 401)
    const mistake = passwordMistake(chosen)
    if (mistake !== undefined) return adminResponse(setupPage(token, `The password ${mistake}.`), 400)
    await password.set(chosen)
    return await startSession(deps, context, { action: 'password.set', next: '/admin' })
  }

  return { page, submit }
}

/** Starts a session, writes the audit entry, and redirects to `next` with the session's cookie. */
async function startSession(
  deps: AuthRoutesDeps,
  context: RequestContext,
  { action, next }: { readonly action: string; readonly next: string },
): Promise<Response> {
  const { sessions, origins, store } = deps
  const { clientAddress: address } = context
  const userAgent = context.request.headers.get('user-agent') ?? ''
  const token = await retryWhileLocked(() =>
    store.transaction(() => {
      const started = sessions.start({ address, userAgent })
      origins.add({ address, sessionId: sessionIdOf(started) })
      audit(deps, context, sessions.find(started)?.name ?? '', action)
      return started
    }),
  )
  return redirect(next, { 'set-cookie': writeSessionCookie(token, context.baseUrl) })
}

function audit(
  { store, clock }: AuthRoutesDeps,
  context: RequestContext,
  actor: string,
  action: string,
): void {
  const { clientAddress: address } = context
  store.audit.add({ atMs: clock.now(), actor, address, action, subject: '', detail: '' })
}

/** After the login only pages of this area are redirected to. */
function safeNext(next: string | null): string {
  return next !== null && /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&.%+-]*)?$/.test(next) && !next.includes('..')
    ? next
    : '/admin'
}
