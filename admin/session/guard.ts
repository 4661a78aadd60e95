import { createHash, randomBytes } from 'node:crypto'
import type { Static, TObject } from '@sinclair/typebox'
import { Problem } from '../../src/errors.ts'
import { basePathOf } from '../../src/http/base-path.ts'
import { type MultipartForm, type MultipartLimits, readMultipartForm } from '../../src/http/multipart-form.ts'
import { contextOf, type RequestContext, targetOf } from '../../src/http/request-context.ts'
import { type Clock, dayMs, hourMs, isWithin } from '../../src/lib/clock.ts'
import { FairLimiter, LimiterFull } from '../../src/lib/fair-limiter.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { QueueClient } from '../../src/lib/waiter.ts'
import type { Executable, Operation, Steps } from '../../src/store/database.ts'
import type { AuditEntry, SessionRow, SessionTable } from '../../src/store/operator.ts'
import { findStoreError, retryWhileLocked } from '../../src/store/store-error.ts'
import type { AdminDeps } from '../deps.ts'
import { invalidForm, redirect } from '../parts/layout.tsx'

export interface AdminRequest<Query = unknown, Form = unknown> {
  readonly context: RequestContext
  readonly session: Session
  readonly query: Query
  readonly form: Form
  /** The body of a POST as the browser sent it, for pages that repeat their form; empty for a GET. */
  readonly sent: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly client: QueueClient
  /** Adds an entry to the audit log. Callers pass no secrets. Not for HEAD, which changes nothing. */
  audit(action: string, subject: string, detail?: string): Operation<void>
}

export type FormRequest<Fields extends TObject> = AdminRequest<unknown, Static<Fields>>

export type Answer = Markup | Response

export type AdminHandler<Query = unknown, Form = unknown> = (
  request: AdminRequest<Query, Form>,
) => Answer | Promise<Answer>

export type ChangeHandler<Query, Form> = (
  request: AdminRequest<Query, Form>,
) => Executable<Answer | Promise<Answer>>

export interface RoutedRequest<Query = unknown> {
  readonly request: Request
  readonly query: Query
  /** Undefined if the path has no parameters. A parameter is null if its percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>> | undefined
}

const readingMax = 4

export type SessionGuard = ReturnType<typeof createSessionGuard>

export function createSessionGuard(deps: AdminDeps, sessions: Sessions) {
  const { ADMIN_HOST: adminHost } = deps.config
  const readingForms = new FairLimiter({ runningMax: readingMax, waitingMax: 20 })

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

  /** The request with its session; without one a redirect to the login, which leads back. A write must come from our own pages. */
  async function enter<Query>(
    { request, query, params }: RoutedRequest<Query>,
    isWrite: boolean,
  ): Promise<AdminRequest<Query, object> | Response> {
    const context = requireAdminHost(request)
    if (isWrite) requireSameOrigin(context)
    const session = await sessionOf(context)
    if (session === undefined)
      return redirect(
        isWrite ? '/admin/login' : `/admin/login?${new URLSearchParams({ next: targetOf(context) })}`,
      )
    const names = Object.entries(params ?? {})
    return {
      context,
      session,
      query,
      form: {},
      sent: new URLSearchParams(),
      params: Object.fromEntries(names.map(([name, value]) => [name, replaceNuls(value ?? '')])),
      client: { name: session.id, waiter: context.waiter },
      audit: (action, subject, detail = '') =>
        addAudit(deps, context, { actor: session.name, action, subject, detail }),
    }
  }

  /** The form with files of a POST, read only once it is known that an operator sends it. Throws a `Refusal`. */
  function readUpload(request: AdminRequest, limits: MultipartLimits): Promise<MultipartForm> {
    return readingForms
      .run(request.client, () => readMultipartForm(request.context.request, limits))
      .catch((error: unknown) => {
        const { message, status } = asProblem(error)
        throw invalidForm('brands', message, `/admin/brands/${request.params['slug'] ?? 'new'}`, status)
      })
  }

  /** Runs the handler in one durable transaction, audit entries included, after those of other operators. */
  function inTransaction<Query, Form>(handler: ChangeHandler<Query, Form>): AdminHandler<Query, Form> {
    return async (request) =>
      await retryWhileLocked(() =>
        deps.store.transaction(() => handler(request), { durable: true, locks: ['operator'] }),
      )
  }

  return { requireAdminHost, sessionOf, enter, readUpload, inTransaction }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof LimiterFull)) throw error
  return new Problem('busy', 'Too many forms with files are sent at this moment.', { cause: error })
}

export function addAudit(
  { store, clock }: AdminDeps,
  { clientAddress: address }: RequestContext,
  entry: Omit<AuditEntry, 'id' | 'atMs' | 'address'>,
): Operation<void> {
  return store.audit.add({ atMs: clock.now(), address, ...entry })
}

export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(replaceNuls(await request.text()).replaceAll('%00', encodedReplacement))
}

const encodedReplacement = encodeURIComponent('\u{fffd}')

/** SQLite's full-text search ends a query at a NUL, inside its quotes. No stored text has one. */
export function replaceNuls(text: string): string {
  return text.replaceAll('\0', '\u{fffd}')
}

/** Throws `cross_site` for a write that another site's page sent. */
export function requireSameOrigin({ request }: RequestContext): void {
  if (!isSameOrigin(request.headers))
    throw new Problem('cross_site', 'Writes are accepted from the pages of this service only.')
}

/**
 * Returns true for a write from our own pages. Browsers send `Sec-Fetch-Site`; older ones send only `Origin`, whose host
 * must equal the requested one. A request with neither header comes from no form of ours.
 */
function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === hostOf(headers)
}

/** The requested host as `URL` writes it, without http's default port; empty if the header is malformed. */
function hostOf(headers: Headers): string {
  const host = headers.get('host') ?? ''
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : ''
}

const idleMs = 12 * hourMs
const absoluteMs = 7 * dayMs
/** For so long after the password was given, dangerous actions do not ask for it again. */
const freshMs = 10 * 60_000
/** `lastSeenAtMs` is updated at most this often, to save a write per request. */
const touchIntervalMs = 60_000

export interface Session extends SessionRow {
  readonly name: string
  readonly isFresh: boolean
}

export type Sessions = ReturnType<typeof createSessions>

/** Sessions by opaque tokens. A session ends 12 hours after its last request or 7 days after its login. */
export function createSessions(table: SessionTable, clock: Clock) {
  function describe(row: SessionRow): Session {
    return { ...row, name: sessionNameOf(row.id), isFresh: isWithin(row.confirmedAtMs, clock.now(), freshMs) }
  }
  function isAlive({ lastSeenAtMs, createdAtMs }: SessionRow) {
    return isWithin(lastSeenAtMs, clock.now(), idleMs) && isWithin(createdAtMs, clock.now(), absoluteMs)
  }

  /** A failed write must not log anybody out: the next request tries again. */
  async function touch(id: string): Promise<void> {
    try {
      await table.touch(id, clock.now())
    } catch (error) {
      if (findStoreError(error) === undefined) throw error
    }
  }

  return {
    /** Steps of a transaction. Returns the token for the cookie. The store holds only its hash. */
    *start({ address, userAgent }: Pick<SessionRow, 'address' | 'userAgent'>): Steps<string> {
      const nowMs = clock.now()
      yield* table.prune(nowMs - idleMs, nowMs - absoluteMs)
      const token = randomBytes(32).toString('base64url')
      yield* table.add({
        id: sessionIdOf(token),
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        confirmedAtMs: nowMs,
        address,
        userAgent: userAgent.slice(0, 200),
      })
      return token
    },
    async find(token: string): Promise<Session | undefined> {
      const row = await table.find(sessionIdOf(token))
      if (!row || !isAlive(row)) return undefined
      if (!isWithin(row.lastSeenAtMs, clock.now(), touchIntervalMs)) await touch(row.id)
      return describe(row)
    },
    list: () => table.all().as((rows) => rows.filter(isAlive).map(describe)),
    confirm: (id: string) => table.confirm(id, clock.now()),
    end: (id: string) => table.remove(id),
  }
}

export function sessionIdOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function sessionNameOf(id: string): string {
  return id.slice(0, 8)
}

export function readSessionCookie({ request, baseUrl }: RequestContext): string | undefined {
  const name = cookieName(baseUrl)
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** The `Set-Cookie` that starts a session, or ends it if the token is empty. */
export function writeSessionCookie(token: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const maxAge = token === '' ? '; Max-Age=0' : ''
  const path = basePathOf(baseUrl) || '/'
  return `${cookieName(baseUrl)}=${token}; Path=${path}; HttpOnly; SameSite=Lax${secure}${maxAge}`
}

/** Over https `__Host-` binds the cookie to this host, for the path `/` only. Browsers refuse every prefix over http. */
function cookieName(baseUrl: string): string {
  if (!baseUrl.startsWith('https:')) return 'session'
  return basePathOf(baseUrl) === '' ? '__Host-session' : '__Secure-session'
}
