import { basePathOf } from '../../src/http/base-path.ts'
import type { RequestContext } from '../../src/http/request-context.ts'

/** The token in the request's session cookie; undefined without that cookie. */
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
