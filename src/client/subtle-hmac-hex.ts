import { utf8 } from '../lib/query-pairs.ts'

/** Lower-case hex HMAC-SHA256 over UTF-8. */
export async function subtleHmacHex(secret: string, payload: string): Promise<string> {
  const { subtle } = crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  const signature = await subtle.sign('HMAC', key, utf8(payload))
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
