import { createHash, randomBytes } from 'node:crypto'
import { basePathOf } from '../../src/http/base-path.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { type Clock, isWithin } from '../../src/lib/clock.ts'
import type { Steps } from '../../src/store/database.ts'
import type { SessionRow, SessionTable } from '../../src/store/operator.ts'
import { findStoreError } from '../../src/store/store-error.ts'

const hourMs = 3_600_000
const idleMs = 12 * hourMs
const absoluteMs = 7 * 24 * hourMs
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
    return {
      ...row,
      name: sessionNameOf(row.id),
      isFresh: isWithin(row.confirmedAtMs, clock.now(), freshMs),
    }
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

/**
 * Over https the prefix `__Host-` binds the cookie to this host, which browsers allow for the path `/` only. They refuse
 * every prefix over http.
 */
function cookieName(baseUrl: string): string {
  if (!baseUrl.startsWith('https:')) return 'session'
  return basePathOf(baseUrl) === '' ? '__Host-session' : '__Secure-session'
}
