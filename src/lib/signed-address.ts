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
 * Returns the parameters in form encoding, as base64url without padding. Characters outside of ASCII are not
 * percent-encoded, because a Hindi title would be three times as long, and programs on the way limit the length of addresses.
 */
export function payloadOf(pairs: readonly QueryPair[]): string {
  const form = new URLSearchParams(pairs.map(([name, value]) => [name, value]))
  const text = `${form}`.replace(/(?:%[89A-F].)+/g, decodeURIComponent)
  const binary = Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}
