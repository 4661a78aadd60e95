/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type RequestContext, targetOf } from '../../src/http/request-context.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { passwordLengthMax, passwordLengthMin, passwordMistake } from '../../src/lib/password.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton, submitButton } from '../parts/elements.tsx'
import { adminResponse, loggedOutPage, redirect } from '../parts/layout.tsx'
import { decodeForm, typedPassword } from './form-fields.ts'
import {
  type AdminHandler,
  type AdminRequest,
  addAudit,
  type RoutedRequest,
  readForm,
  readSessionCookie,
  requireSameOrigin,
  type SessionGuard,
  type Sessions,
  sessionIdOf,
  sessionNameOf,
  writeSessionCookie,
} from './guard.ts'
import { createLoginThrottle, type LoginOrigins } from './login-throttle.ts'
import type { SetupState } from './operator-password.ts'
import setupEndings from './setup-endings.json' with { type: 'json' }

const passwordInput = Type.String({ ...typedPassword, default: '' })
const loginForm = Type.Object({ password: passwordInput, next: Type.String({ default: '' }) })
const setupForm = Type.Object({ password: passwordInput, token: Type.String({ default: '' }) })
const confirmForm = Type.Object({ password: Type.Optional(typedPassword) })

const refusedEntry = { actor: '', action: 'login.refused', subject: '', detail: '' }

export function authRoutes(
  deps: AdminDeps,
  guard: SessionGuard,
  checkPassword: PasswordCheck,
  sessions: Sessions,
  origins: LoginOrigins,
) {
  const { password } = deps

  async function startSession(context: RequestContext, action: string, next: string): Promise<Response> {
    const { clientAddress: address } = context
    const userAgent = context.request.headers.get('user-agent') ?? ''
    const token = await retryWhileLocked(() =>
      deps.store.transaction(function* () {
        const started = yield* sessions.start({ address, userAgent })
        const sessionId = sessionIdOf(started)
        yield* origins.add({ address, sessionId })
        yield* addAudit(deps, context, { actor: sessionNameOf(sessionId), action, subject: '', detail: '' })
        return started
      }),
    )
    return redirect(next, { 'set-cookie': writeSessionCookie(token, context.baseUrl) })
  }

  async function showLogin({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    if (await guard.sessionOf(context)) return redirect('/admin')
    if (!(await password.isSet())) return adminResponse(setupPendingPage())
    const { next } = decodeForm(loginForm, new URLSearchParams(context.rawQuery)).value
    return adminResponse(loginPage(safeNext(next)))
  }

  async function logIn({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const { value: form } = decodeForm(loginForm, await readForm(request))
    const next = safeNext(form.next)
    const verdict = await checkPassword(context, form.password)
    if (verdict === 'right') return await startSession(context, 'login', next)
    if (verdict === 'wrong') await retryWhileLocked(() => addAudit(deps, context, refusedEntry))
    return refusedPage(verdict, (problem) => loginPage(next, problem))
  }

  async function showSetup({ request }: RoutedRequest): Promise<Response> {
    const { rawQuery } = guard.requireAdminHost(request)
    const { token } = decodeForm(setupForm, new URLSearchParams(rawQuery)).value
    const state = await password.setupState(token)
    return adminResponse(state === 'open' ? setupPage(token) : setupEndedPage(state))
  }

  async function setUp({ request }: RoutedRequest): Promise<Response> {
    const context = guard.requireAdminHost(request)
    requireSameOrigin(context)
    const { token, password: chosen } = decodeForm(setupForm, await readForm(request)).value
    const state = await password.setupState(token)
    if (state !== 'open') return adminResponse(setupEndedPage(state), 401)
    const mistake = passwordMistake(chosen)
    if (mistake !== undefined) return adminResponse(setupPage(token, `The password ${mistake}.`), 400)
    if (!(await password.set(token, chosen))) return adminResponse(setupEndedPage('password_set'), 401)
    return await startSession(context, 'password.set', '/admin')
  }

  return new Elysia({ name: 'admin-auth' })
    .get('/admin/login', showLogin)
    .post('/admin/login', logIn, { parse: 'none' })
    .get('/admin/setup', showSetup)
    .post('/admin/setup', setUp, { parse: 'none' })
}

/** Only paths of this area, because any other would lead away after the login. */
function safeNext(next: string): string {
  return /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&.%+-]*)?$/.test(next) && !next.includes('..') ? next : '/admin'
}

type PasswordVerdict = 'right' | 'wrong' | { readonly retryAfterSeconds: number }

type PasswordCheck = ReturnType<typeof createPasswordCheck>

export function createPasswordCheck(deps: AdminDeps, origins: LoginOrigins) {
  const throttle = createLoginThrottle(deps)

  return async (context: RequestContext, typed: string): Promise<PasswordVerdict> => {
    const token = readSessionCookie(context)
    // The cookie counts even if its session has ended.
    const origin = { address: context.clientAddress, sessionId: token && sessionIdOf(token) }
    const admission = await retryWhileLocked(async () => throttle.admit(await origins.bucketOf(origin)))
    if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds }
    let isRight = false
    try {
      isRight = await deps.password.verify(typed.slice(0, passwordLengthMax))
    } finally {
      await admission.done(isRight)
    }
    return isRight ? 'right' : 'wrong'
  }
}

function refusedPage(verdict: Exclude<PasswordVerdict, 'right'>, page: (problem: string) => Markup) {
  if (verdict === 'wrong') return adminResponse(page('Wrong password. Check Caps Lock.'), 401)
  const { retryAfterSeconds: seconds } = verdict
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return adminResponse(page(`Too many attempts. Try again in ${wait}.`), 429, {
    'retry-after': String(seconds),
  })
}

/** Wraps handlers that need a password of the last ten minutes. The right one continues with the same request. */
export function createFreshPasswordRule(sessions: Sessions, checkPassword: PasswordCheck) {
  return function requireFreshPassword<Query, Form>(
    question: string,
    handler: AdminHandler<Query, Form>,
  ): AdminHandler<Query, Form> {
    return async (request) => {
      if (request.session.isFresh) return handler(request)
      const { password } = decodeForm(confirmForm, request.sent).value
      if (password === undefined) return confirmPasswordPage(request, question)
      const verdict = await checkPassword(request.context, password)
      if (verdict !== 'right')
        return refusedPage(verdict, (problem) => confirmPasswordPage(request, question, problem))
      await retryWhileLocked(() => sessions.confirm(request.session.id))
      return handler(request)
    }
  }
}

/** Asks for the password. The form repeats the fields that were sent, so that the right one continues with them. */
function confirmPasswordPage({ context, sent }: AdminRequest, question: string, problem?: string): Markup {
  const others = [...sent].filter(([name]) => name !== 'password')
  return formPage('Your password, please', targetOf(context), [
    <p class="muted">{question}</p>,
    others.map(([name, value]) => <input type="hidden" name={name} value={value} />),
    passwordField('Password', currentPassword, problem),
    <p class="hint">It then counts for ten minutes.</p>,
    <div class="actions row">
      {linkButton('/admin', 'Back')}
      {submitButton('Confirm', 'btn primary')}
    </div>,
  ])
}

function loginPage(next: string, problem?: string): Markup {
  return formPage('Log in', '/admin/login', [
    <input type="hidden" name="next" value={next} />,
    passwordField('Password', currentPassword, problem),
    submitButton('Log in', 'btn primary'),
  ])
}

function setupPendingPage(): Markup {
  return loggedOutPage(
    'Almost there',
    <p class="muted">
      No password is set yet. The terminal in which Mintmark started shows a one-time link to set one. You can
      also start it with <code>ADMIN_PASSWORD</code>.
    </p>,
  )
}

function setupPage(token: string, problem?: string): Markup {
  return formPage('Set the password', '/admin/setup', [
    <input type="hidden" name="token" value={token} />,
    passwordField(
      'New password',
      { autocomplete: 'new-password', minlength: passwordLengthMin, maxlength: passwordLengthMax },
      problem,
    ),
    <p class="hint">At least {passwordLengthMin} characters. It opens this area from any browser.</p>,
    submitButton('Set password and log in', 'btn primary'),
  ])
}

function setupEndedPage(state: Exclude<SetupState, 'open'>): Markup {
  const { title, text, remedy } = setupEndings[state]
  return loggedOutPage(title, [
    <p class="muted">{text}</p>,
    <p class="muted">{remedy}</p>,
    state !== 'replaced' && (
      <p>
        <a href="/admin/login">Log in</a>
      </p>
    ),
  ])
}

function formPage(title: string, action: string, fields: Child): Markup {
  return loggedOutPage(
    title,
    <form class="form" method="post" action={action}>
      {fields}
    </form>,
  )
}

const currentPassword = { autocomplete: 'current-password' }

/** A password, with the user name that password managers want. The script of the pages shows the button that reveals it. */
function passwordField(
  label: string,
  attributes: Readonly<Record<string, string | number>>,
  problem?: string,
): Markup {
  const mistake = problem === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'problem' }
  return (
    <div class="password">
      <input hidden name="username" autocomplete="username" value="operator" />
      <label for="password">{label}</label>
      <div>
        <input
          id="password"
          name="password"
          type="password"
          required
          autofocus
          {...attributes}
          {...mistake}
        />
        <button class="btn" type="button" data-show="password" aria-pressed="false" hidden>
          Show
        </button>
      </div>
      {problem !== undefined && (
        <p class="problem" id="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
