import { Elysia } from 'elysia'
import type { Exchange } from '../src/http/exchange.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Store } from '../src/store/open.ts'
import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import { type createGate, htmlResponse, readForm, redirect, refuseForeign } from './gate.ts'
import type { LoginOrigins } from './login-origins.ts'
import { type OperatorPassword, passwordLengthMin } from './operator-password.ts'
import { loginPage, waitingForSetupPage } from './pages/login.tsx'
import { setupExpiredPage, setupPage } from './pages/setup.tsx'
import { type PasswordCheck, refusalOf } from './password-check.ts'
import { type Sessions, sessionIdOf } from './session.ts'
import { writeSessionCookie } from './session-cookie.ts'

export interface DoorDeps {
  readonly gate: ReturnType<typeof createGate>
  readonly password: OperatorPassword
  readonly checkPassword: PasswordCheck
  readonly sessions: Sessions
  readonly origins: LoginOrigins
  readonly store: Pick<Store, 'audit' | 'transaction'>
  readonly clock: Clock
}

/** The way in and out: login, set-up by the one-time link, log-out. */
export function door({ gate, password, checkPassword, sessions, origins, store, clock }: DoorDeps) {
  function note(exchange: Exchange, actor: string, action: string): void {
    const address = exchange.clientAddress
    store.audit.add({ atMs: clock.now(), actor, address, action, subject: '', detail: '' })
  }

  async function start(exchange: Exchange, action: string, next: string): Promise<Response> {
    const userAgent = exchange.request.headers.get('user-agent') ?? ''
    const begin = () => {
      const begun = sessions.start({ address: exchange.clientAddress, userAgent })
      origins.remember({ address: exchange.clientAddress, sessionId: sessionIdOf(begun) })
      note(exchange, sessions.find(begun)?.name ?? '', action)
      return begun
    }
    const token = await retryWhileLocked(() => store.transaction(begin))
    return redirect(next, { 'set-cookie': writeSessionCookie(token, exchange.baseUrl) })
  }

  return new Elysia({ name: 'admin-door' })
    .get('/admin/login', ({ request }) => {
      const exchange = gate.enter(request)
      if (gate.sessionOf(exchange)) return redirect('/admin')
      if (!password.isSet()) return htmlResponse(waitingForSetupPage())
      return htmlResponse(loginPage(safeNext(new URLSearchParams(exchange.rawQuery).get('next'))))
    })
    .post(
      '/admin/login',
      async ({ request }) => {
        const exchange = gate.enter(request)
        refuseForeign(exchange)
        const form = await readForm(request)
        const next = safeNext(form.get('next'))
        const verdict = await checkPassword(gate.originOf(exchange), form.get('password') ?? '')
        if (verdict === 'right') return await start(exchange, 'login', next)
        if (verdict === 'wrong') await retryWhileLocked(() => note(exchange, '', 'login.refused'))
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
        const exchange = gate.enter(request)
        refuseForeign(exchange)
        const form = await readForm(request)
        const token = form.get('token') ?? ''
        const chosen = form.get('password') ?? ''
        if (!password.isSetupToken(token)) return htmlResponse(setupExpiredPage(), 401)
        if (chosen.length < passwordLengthMin)
          return htmlResponse(setupPage(token, `At least ${passwordLengthMin} characters, please.`), 400)
        await password.set(chosen)
        return await start(exchange, 'password.set', '/admin')
      },
      { parse: 'none' },
    )
    .post(
      '/admin/logout',
      gate.action(
        gate.stored(({ session, exchange, audit }) => {
          sessions.end(session.id)
          audit('logout', '')
          return redirect('/admin/login', { 'set-cookie': writeSessionCookie('', exchange.baseUrl) })
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
