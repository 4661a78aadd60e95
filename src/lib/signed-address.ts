import type { QueryPair } from './canonical-query.ts'
import { utf8 } from './utf8.ts'

/** The parts of a signed address that its signature covers. */
export interface AddressParts {
  /** The id of an asset: `og`, `badge` or `avatar`. */
  readonly asset: string
  readonly key: string
  /** The parameters as base64url. */
  readonly payload: string
  /** Without its dot: `png`. */
  readonly extension: string
}

/** Returns the text that the signature of an address covers: the address itself, without the signature. */
export function addressText({ asset, key, payload, extension }: AddressParts): string {
  return `GET /i/${asset}/${key}/${payload}.${extension}`
}

/**
 * Returns the parameters in form encoding, as base64url without padding. Only what form encoding itself needs is
 * percent-encoded, because a Hindi title would be three times as long, and programs on the way limit the length of addresses.
 */
export function payloadOf(pairs: readonly QueryPair[]): string {
  const form = pairs.map((pair) => pair.map(formEncode).join('=')).join('&')
  const binary = Array.from(utf8(form), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}

function formEncode(text: string): string {
  return text.replace(/[%&+=]/g, encodeURIComponent).replaceAll(' ', '+')
}
