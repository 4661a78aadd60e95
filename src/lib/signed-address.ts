import type { QueryPair } from './canonical-query.ts'
import { utf8 } from './utf8.ts'

/** The parts of a signed address in the path, `/i/<asset>/<key>/<payload>/<sig>.<extension>`, without its signature. */
export interface SignedAddress {
  readonly asset: string
  readonly key: string
  readonly payload: string
  readonly extension: string
}

/** The text that is signed. It is the address itself, so there is no canonical form to agree on. */
export function addressText({ asset, key, payload, extension }: SignedAddress): string {
  return `GET /i/${asset}/${key}/${payload}.${extension}`
}

/**
 * Returns the parameters in form encoding, as base64url without padding. Only what form encoding itself needs is
 * percent-encoded, because a Hindi title would be three times as long, and programs on the way limit the length of addresses.
 */
export function payloadOf(pairs: readonly QueryPair[]): string {
  const form = pairs.map((pair) => pair.map(formEncode).join('=')).join('&')
  const binary = Array.from(utf8(form), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

function formEncode(text: string): string {
  return text.replace(/[%&+=]/g, encodeURIComponent).replaceAll(' ', '+')
}
