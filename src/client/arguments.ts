import { utf8 } from '../lib/query-pairs.ts'
import { withoutSecrets } from '../lib/words.ts'
import type { Address, KeyPair } from './types.ts'

/** Returns the URL. Throws a TypeError for a text that is not an absolute http or https URL. */
export function readUrl(address: Address): URL {
  const text = `${address}`
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text)) refuseArgument(`not an absolute URL: ${text}`)
  return new URL(text)
}

/** The path as the service signs it: what stands before `/api/` is where the service lies. */
export function signedPath({ pathname }: URL): string {
  return pathname.replace(/^.*(?=\/api\/)/, '')
}

/**
 * Returns the pair. Throws a TypeError that names what is missing or has another form than `GET /api/key` gives, without
 * the value: the secret may be in the place of the key.
 */
export function readPair(pair: KeyPair): KeyPair {
  for (const name of ['key', 'secret'] as const) if (!pair?.[name]) refuseArgument(`no ${name}`)
  if (!/^mk_[2-9a-hjkmnp-z]{16}$/.test(pair.key)) refuseArgument('key must be mk_ and 16 letters and digits')
  if (!/^[0-9a-f]{64}$/.test(pair.secret)) refuseArgument('secret must be 64 hex digits in lower case')
  if ('exp' in pair) refuseArgument(expPlace)
  return pair
}

/** The message for an `exp` that would silently be without effect. */
export const expPlace = 'exp goes into the last argument'

/** Throws a TypeError for an option that nothing reads, because without it the call would mean something else. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!names.includes(name)) refuseArgument(`no option ${name}; there is ${names.join(', ')}`)
}

/** Returns a value as text. Throws a TypeError for one that is neither text, number, boolean nor URL. */
export function asText(name: string, value: unknown): string {
  if (typeof value === 'function' || (typeof value === 'object' && !(value instanceof URL)))
    refuseArgument(
      `${name} must be text or a number, not ${typeof value === 'object' ? 'an object' : 'a function'}`,
    )
  return `${value}`
}

export function refuseArgument(message: string): never {
  throw new TypeError(`mintmark: ${withoutSecrets(message)}`)
}

/** The entry of this name that a table has of its own: `constructor` is the name of none. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Lower-case hex HMAC-SHA256 over UTF-8. */
export async function subtleHmacHex(secret: string, payload: string): Promise<string> {
  const { subtle } = crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  const signature = await subtle.sign('HMAC', key, utf8(payload))
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
