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
 * The parameters in form encoding, as base64url without padding. Characters outside of ASCII are not percent-encoded:
 * a Hindi title would be three times as long, and programs on the way limit the length of an address.
 */
export function payloadOf(pairs: readonly QueryPair[]): string {
  const form = new URLSearchParams(pairs.map(([name, value]) => [name, value]))
  const text = `${form}`.replace(/(?:%[89A-F].)+/g, decodeURIComponent)
  const binary = Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}
