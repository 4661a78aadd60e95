import { Problem } from '../src/errors.ts'
import { contextOf, type RequestContext } from '../src/http/request-context.ts'
import { targetOf } from '../src/http/target.ts'
import type { Clock } from '../src/lib/clock.ts'
import { document, Markup } from '../src/lib/jsx/markup.ts'
import type { Store } from '../src/store/open.ts'
import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import type { LoginOrigin } from './login-origins.ts'
import { hostOf, isSameOrigin } from './origin-guard.ts'
import { passwordAgainPage } from './pages/password-again.tsx'
import { type PasswordCheck, refusalOf } from './password-check.ts'
import { type Session, type Sessions, sessionIdOf } from './session.ts'
import { readSessionCookie } from './session-cookie.ts'

/** What a page or an action of the operator's area is given. */
export interface Visit {
  readonly context: RequestContext
  readonly session: Session
  readonly query: URLSearchParams
  /** Of an action: what its form sent. */
  readonly form: URLSearchParams
  /** Parts of the path, for example `id`. */
  readonly params: Readonly<Record<string, string>>
  /** Writes down what was done. Never with a secret. HEAD does nothing, so it writes nothing. */
  audit(action: string, subject: string, detail?: string): void
}

type Answer = Markup | Response
type Handler = (visit: Visit) => Answer | Promise<Answer>

/** What the router hands over. */
export interface Incoming {
  readonly request: Request
  /** Undefined where the path has none; null for a part that is not well-formed percent-encoding. */
  readonly params: Readonly<Record<string, string | null>> | undefined
}

export interface SessionGuardDeps {
  readonly sessions: Sessions
  readonly checkPassword: PasswordCheck
  readonly store: Pick<Store, 'audit' | 'transaction'>
  readonly clock: Clock
  /** The only host name that serves the area; any when undefined. */
  readonly adminHost: string | undefined
}

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Lets in who is logged in, and writes only from our own pages. */
export function createSessionGuard({ sessions, checkPassword, store, clock, adminHost }: SessionGuardDeps) {
  function enter(request: Request): RequestContext {
    const context = contextOf(request)
    const host = hostOf(context.request.headers)
    if (adminHost !== undefined && host !== adminHost && host.replace(/:\d+$/, '') !== adminHost)
      throw new Problem('not_found', 'There is nothing at this path.')
    return context
  }

  function sessionOf(context: RequestContext): Session | undefined {
    const token = readSessionCookie(context.request.headers.get('cookie'), context.baseUrl)
    return token ? sessions.find(token) : undefined
  }

  /** Where a password comes from. The cookie counts also where its session has ended. */
  function originOf(context: RequestContext): LoginOrigin {
    const token = readSessionCookie(context.request.headers.get('cookie'), context.baseUrl)
    return { address: context.clientAddress, sessionId: token && sessionIdOf(token) }
  }

  function visitOf(
    { params }: Incoming,
    context: RequestContext,
    session: Session,
    form: URLSearchParams,
  ): Visit {
    const query = new URLSearchParams(context.rawQuery)
    return {
      context,
      session,
      query: searchable(query),
      form: searchable(form),
      params: Object.fromEntries(
        Object.entries(params ?? {}).map(([name, value]) => [name, withoutNul(value ?? '')]),
      ),
      audit(action, subject, detail = '') {
        if (context.method === 'HEAD') return
        const { clientAddress: address } = context
        store.audit.add({ atMs: clock.now(), actor: session.name, address, action, subject, detail })
      },
    }
  }

  /** A GET page: without a session it leads to the login and back again. */
  function page(handler: Handler) {
    return async (incoming: Incoming): Promise<Response> => {
      const context = enter(incoming.request)
      const session = sessionOf(context)
      if (!session) return redirect(`/admin/login?${new URLSearchParams({ next: targetOf(context) })}`)
      return htmlResponse(await handler(visitOf(incoming, context, session, new URLSearchParams())))
    }
  }

  /** A POST action. */
  function action(handler: Handler) {
    return async (incoming: Incoming): Promise<Response> => {
      const context = enter(incoming.request)
      refuseForeign(context)
      const session = sessionOf(context)
      if (!session) return redirect('/admin/login')
      const form = await readForm(incoming.request)
      return htmlResponse(await handler(visitOf(incoming, context, session, form)))
    }
  }

  /** A page or action that wants a fresh password: asks for it, and goes on where it was when it is right. */
  function freshly(question: string, handler: Handler): Handler {
    return async (visit) => {
      if (visit.session.fresh) return handler(visit)
      const given = visit.form.get('password')
      if (given === null) return passwordAgainPage(visit, question)
      const verdict = await checkPassword(originOf(visit.context), given)
      if (verdict !== 'right') {
        const { status, problem, headers } = refusalOf(verdict)
        return htmlResponse(passwordAgainPage(visit, question, problem), status, headers)
      }
      await retryWhileLocked(() => sessions.confirm(visit.session.id))
      return handler(visit)
    }
  }

  /** All that the handler writes, its audit entries included, or nothing of it. It waits for the lock like any call. */
  function stored(handler: (visit: Visit) => Answer): Handler {
    return (visit) => retryWhileLocked(() => store.transaction(() => handler(visit), { durable: true }))
  }

  return { enter, sessionOf, originOf, page, action, freshly, stored }
}

/** To SQLite's full-text search a query ends at a NUL, in the middle of its quotes. No text of ours has one. */
function searchable(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [withoutNul(name), withoutNul(value)]))
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\u{fffd}')
}

/** Refuses a write that another site's page sent. */
export function refuseForeign({ request }: RequestContext): void {
  if (!isSameOrigin(request.headers))
    throw new Problem('cross_site', 'Writes are accepted from the pages of this service only.')
}

export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } })
}

export function htmlResponse(
  answer: Answer,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!(answer instanceof Markup)) return answer
  return new Response(document(answer), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy,
      'referrer-policy': 'same-origin',
      ...headers,
    },
  })
}
