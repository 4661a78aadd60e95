import { createHmac } from 'node:crypto'

/** HMAC-SHA256 as hex digits in lower case. */
export function hmacHex(secret: string | Uint8Array, payload: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}
