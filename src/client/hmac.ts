/** The pair from `GET /api/key`. The secret belongs into the build or the server, never into a page. */
export interface KeyPair {
  readonly key: string
  readonly secret: string
}

/** Lower-case hex HMAC-SHA256 over UTF-8. */
export async function hmacHex(secret: string, payload: string): Promise<string> {
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(payload)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
