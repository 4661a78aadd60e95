import { addressText, type SignedAddress } from '../lib/query-pairs.ts'

export const addressStart = '/i/'

export const addressSignatureDigits = 32

export interface AddressPath extends SignedAddress {
  readonly signature: string
}

const tailCharsMax = 64

const beginning = /^\/(?:i|%69)\//

/** The characters that need no percent-encoding, in percent-encoding. */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi

/** A soft line break of quoted-printable mail, and what programs make of it. */
const lineBreak = /=|%3d|%0[9ad]|%20/gi

const codesAndEntities = /&(?:(?:#|%23)(?:\d{1,7}|x[\da-f]{1,6})|[a-z][a-z\d]{0,31});|%[\da-f]{2}/gi

const written = /^\/i\/([^/]*)\/([^/]*)\/([^/]*)\/([^/.]*)\.([a-z\d]+)/i

/** The one spelling of a signed address that mail or a chat has encoded, broken into lines or given a tail; else undefined. */
export function canonicalAddressPath(path: string): string | undefined {
  if (!beginning.test(path)) return undefined
  const plain = path.replace(encodedUnreserved, decodeURIComponent)
  const [all, asset = '', key = '', payload = '', signature = '', extension = ''] = written.exec(plain) ?? []
  if (all === undefined || !isTail(plain.slice(all.length))) return undefined
  const parts = [key, payload, signature].map((text) => text.replace(lineBreak, ''))
  return `${addressStart}${asset}/${parts.join('/')}.${extension}`
}

/** A bracket, a quote or a full stop may follow an address, each also encoded, but no further word. */
function isTail(text: string): boolean {
  return text.length <= tailCharsMax && !/[a-z\d]/i.test(text.replace(codesAndEntities, ''))
}

export function readAddressPath(path: string): AddressPath | undefined {
  const [all, asset = '', key = '', payload = '', signature = '', extension = ''] = written.exec(path) ?? []
  return all === path ? { asset, key, payload, signature, extension } : undefined
}

export function signedAddressText(path: string): string {
  const address = readAddressPath(path)
  if (address === undefined) throw new Error('The path is no signed address.')
  return addressText(address)
}

/** A signature is 32 hex digits or more, so that a text below this holds none. */
const shownCharsMax = 31
const cutChars = 16

/** Any path may be a signed address in a refused spelling, so nothing behind a key is shown, nor a segment like a signature. */
export function loggedPath(path: string): string {
  if (path.length <= shownCharsMax) return path
  const shown = (beginning.test(path) ? upToThird : upToKey).exec(path)?.[0] ?? path
  const cut = (part: string) => (part.length <= shownCharsMax ? part : `${part.slice(0, cutChars)}…`)
  return shown.split('/').map(cut).join('/')
}

const upToThird = /^\/[^/]*\/[^/]*\/[^/]*/
const upToKey = /^.*?\/mk(?:_|%5f)[^/]*/is
