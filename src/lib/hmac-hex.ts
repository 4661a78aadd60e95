import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 as hex digits in lower case. */
export function hmacHex(secret: string | Uint8Array, payload: string): string {
  return hmac(secret, payload, 'hex')
}

export function hmac(secret: string | Uint8Array, payload: string, encoding: 'hex' | 'base64url'): string {
  return createHmac('sha256', secret).update(payload).digest(encoding)
}

/** Compares in constant time, so that nobody can guess a MAC byte by byte. */
export function isSameMac(expected: string, offered: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(offered)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
