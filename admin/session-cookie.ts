/** The session's cookie: bound to the host over https, plain where a browser would not keep a secure one. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-session' : 'session'
}

export function readSessionCookie(cookieHeader: string | null, baseUrl: string): string | undefined {
  const name = sessionCookieName(baseUrl)
  for (const pair of (cookieHeader ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** The `Set-Cookie` that starts a session, or ends it when the token is empty. */
export function writeSessionCookie(token: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const life = token === '' ? '; Max-Age=0' : ''
  return `${sessionCookieName(baseUrl)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}${life}`
}
