import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { RequestContext } from '../../src/http/request-context.ts'
import { passwordMistake } from '../../src/lib/password.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { loginPage, setupEndedPage, setupPage, setupPendingPage } from '../pages/login.tsx'
import { addAudit, type RoutedRequest, readForm } from '../session/admin-request.ts'
import { decodeForm, typedPassword } from '../session/form-fields.ts'
import type { LoginOrigins } from '../session/login-origins.ts'
import { describeRefusal, type PasswordCheck } from '../session/password-check.ts'
import { requireSameOrigin } from '../session/same-origin.ts'
import { writeSessionCookie } from '../session/session-cookie.ts'
import type { SessionGuard } from '../session/session-guard.ts'
import { type Sessions, sessionIdOf, sessionNameOf } from '../session/sessions.ts'
import { loginOriginOf } from './require-fresh-password.ts'

export interface AuthParts {
  readonly guard: SessionGuard
  readonly checkPassword: PasswordCheck
  readonly sessions: Sessions
  readonly origins: LoginOrigins
}

/** Login, set-up by the one-time link, and logout: the only pages without a session. */
export function authRoutes(deps: AdminDeps, parts: AuthParts) {
  const { guard, sessions } = parts
  const login = createLogin(deps, parts)
  const setup = createSetup(deps, parts)
  const logout = guard.action(
    guard.inTransaction(function* ({ session, context, audit }) {
      yield* sessions.end(session.id)
      yield* audit('logout', '')
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

const passwordField = Type.String({ ...typedPassword, default: '' })
const loginForm = Type.Object({ password: passwordField, next: Type.String({ default: '' }) })
const setupForm = Type.Object({ password: passwordField, token: Type.String({ default: '' }) })

const refusedEntry = { actor: '', action: 'login.refused', subject: '', detail: '' }

function createLogin(deps: AdminDeps, parts: AuthParts) {
  const { guard, checkPassword } = parts

  async function page({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    if (await guard.sessionOf(context)) return redirect('/admin')
    if (!(await deps.password.isSet())) return adminResponse(setupPendingPage())
    const { next } = decodeForm(loginForm, new URLSearchParams(context.rawQuery)).value
    return adminResponse(loginPage(safeNext(next)))
  }

  async function submit({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const { value: form } = decodeForm(loginForm, await readForm(request))
    const next = safeNext(form.next)
    const verdict = await checkPassword(loginOriginOf(context), form.password)
    if (verdict === 'right') return await startSession(deps, parts, context, { action: 'login', next })
    if (verdict === 'wrong') await retryWhileLocked(() => addAudit(deps, context, refusedEntry))
    const { status, problem, headers } = describeRefusal(verdict)
    return adminResponse(loginPage(next, problem), status, headers)
  }

  return { page, submit }
}

function createSetup(deps: AdminDeps, parts: AuthParts) {
  const { guard } = parts
  const { password } = deps

  async function page({ request }: RoutedRequest): Promise<Response> {
    const { rawQuery } = guard.requireAdminHost(request)
    const { token } = decodeForm(setupForm, new URLSearchParams(rawQuery)).value
    const state = await password.setupState(token)
    return adminResponse(state === 'open' ? setupPage(token) : setupEndedPage(state))
  }

  async function submit({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const { token, password: chosen } = decodeForm(setupForm, await readForm(request)).value
    const state = await password.setupState(token)
    if (state !== 'open') return adminResponse(setupEndedPage(state), 401)
    const mistake = passwordMistake(chosen)
    if (mistake !== undefined) return adminResponse(setupPage(token, `The password ${mistake}.`), 400)
    if (!(await password.set(token, chosen))) return adminResponse(setupEndedPage('password_set'), 401)
    return await startSession(deps, parts, context, { action: 'password.set', next: '/admin' })
  }

  return { page, submit }
}

/** Starts a session, writes the audit entry, and redirects to `next` with the session's cookie. */
async function startSession(
  deps: AdminDeps,
  { sessions, origins }: AuthParts,
  context: RequestContext,
  { action, next }: { readonly action: string; readonly next: string },
): Promise<Response> {
  const { clientAddress: address } = context
  const userAgent = context.request.headers.get('user-agent') ?? ''
  const token = await retryWhileLocked(() =>
    deps.store.transaction(function* () {
      const started = yield* sessions.start({ address, userAgent })
      yield* origins.add({ address, sessionId: sessionIdOf(started) })
      const actor = sessionNameOf(sessionIdOf(started))
      yield* addAudit(deps, context, { actor, action, subject: '', detail: '' })
      return started
    }),
  )
  return redirect(next, { 'set-cookie': writeSessionCookie(token, context.baseUrl) })
}

/** After the login only pages of this area are redirected to. */
function safeNext(next: string): string {
  return /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&.%+-]*)?$/.test(next) && !next.includes('..') ? next : '/admin'
}
