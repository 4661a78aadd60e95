import { Elysia } from 'elysia'
import type { RequestContext } from '../src/http/request-context.ts'
import type { Clock } from '../src/lib/clock.ts'
import { passwordMistake } from '../src/lib/password.ts'
import type { Store } from '../src/store/open.ts'
import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import type { LoginOrigins } from './login-origins.ts'
import type { OperatorPassword } from './operator-password.ts'
import { loginPage, waitingForSetupPage } from './pages/login.tsx'
import { setupExpiredPage, setupPage } from './pages/setup.tsx'
import { type PasswordCheck, refusalOf } from './password-check.ts'
import { type Sessions, sessionIdOf } from './session.ts'
import { writeSessionCookie } from './session-cookie.ts'
import { type createSessionGuard, htmlResponse, readForm, redirect, refuseForeign } from './session-guard.ts'

export interface AuthRoutesDeps {
  readonly gate: ReturnType<typeof createSessionGuard>
  readonly password: OperatorPassword
  readonly checkPassword: PasswordCheck
  readonly sessions: Sessions
  readonly origins: LoginOrigins
  readonly store: Pick<Store, 'audit' | 'transaction'>
  readonly clock: Clock
}

/** The way in and out: login, set-up by the one-time link, log-out. */
export function authRoutes({
  gate,
  password,
  checkPassword,
  sessions,
  origins,
  store,
  clock,
}: AuthRoutesDeps) {
  function note(context: RequestContext, actor: string, action: string): void {
    const address = context.clientAddress
    store.audit.add({ atMs: clock.now(), actor, address, action, subject: '', detail: '' })
  }

  async function start(context: RequestContext, action: string, next: string): Promise<Response> {
    const userAgent = context.request.headers.get('user-agent') ?? ''
    function begin() {
      const begun = sessions.start({ address: context.clientAddress, userAgent })
      origins.remember({ address: context.clientAddress, sessionId: sessionIdOf(begun) })
      note(context, sessions.find(begun)?.name ?? '', action)
      return begun
    }
    const token = await retryWhileLocked(() => store.transaction(begin))
    return redirect(next, { 'set-cookie': writeSessionCookie(token, context.baseUrl) })
  }

  return new Elysia({ name: 'admin-door' })
    .get('/admin/login', ({ request }) => {
      const context = gate.enter(request)
      if (gate.sessionOf(context)) return redirect('/admin')
      if (!password.isSet()) return htmlResponse(waitingForSetupPage())
      return htmlResponse(loginPage(safeNext(new URLSearchParams(context.rawQuery).get('next'))))
    })
    .post(
      '/admin/login',
      async ({ request }) => {
        const context = gate.enter(request)
        refuseForeign(context)
        const form = await readForm(request)
        const next = safeNext(form.get('next'))
        const verdict = await checkPassword(gate.originOf(context), form.get('password') ?? '')
        if (verdict === 'right') return await start(context, 'login', next)
        if (verdict === 'wrong') await retryWhileLocked(() => note(context, '', 'login.refused'))
        const { status, problem, headers } = refusalOf(verdict)
        return htmlResponse(loginPage(next, problem), status, headers)
      },
      { parse: 'none' },
    )
    .get('/admin/setup', ({ request }) => {
      const token = new URLSearchParams(gate.enter(request).rawQuery).get('token') ?? ''
      return htmlResponse(password.isSetupToken(token) ? setupPage(token) : setupExpiredPage())
    })
    .post(
      '/admin/setup',
      async ({ request }) => {
        const context = gate.enter(request)
        refuseForeign(context)
        const form = await readForm(request)
        const token = form.get('token') ?? ''
        const chosen = form.get('password') ?? ''
        if (!password.isSetupToken(token)) return htmlResponse(setupExpiredPage(), 401)
        const mistake = passwordMistake(chosen)
        if (mistake !== undefined) return htmlResponse(setupPage(token, `The password ${mistake}.`), 400)
        await password.set(chosen)
        return await start(context, 'password.set', '/admin')
      },
      { parse: 'none' },
    )
    .post(
      '/admin/logout',
      gate.action(
        gate.stored(({ session, context, audit }) => {
          sessions.end(session.id)
          audit('logout', '')
          return redirect('/admin/login', { 'set-cookie': writeSessionCookie('', context.baseUrl) })
        }),
      ),
      { parse: 'none' },
    )
}

/** Only a page of this area may be gone to after the login. */
function safeNext(next: string | null): string {
  return next !== null && /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&.%+-]*)?$/.test(next) && !next.includes('..')
    ? next
    : '/admin'
}
