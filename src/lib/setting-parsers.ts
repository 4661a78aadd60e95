import tls from 'node:tls'
import { parseMicros } from './money.ts'

export function asWritten(text: string): string {
  return text
}

export function integerFrom(min: number, max: number) {
  return (text: string): number => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new Error(`must be an integer from ${min} to ${max}`)
  }
}

/** `on` or `off` in the usual spellings. */
export function flag(text: string): boolean {
  if (/^(on|true|yes|1)$/i.test(text)) return true
  if (/^(off|false|no|0)$/i.test(text)) return false
  throw new Error('must be on or off')
}

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return (text: string): Values[number] => {
    if (values.includes(text)) return text
    throw new Error(`must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`)
  }
}

/** A decimal amount of money above zero with at most six decimals, as integer micros. */
export function price(text: string): number {
  const micros = parseMicros(text) ?? 0
  if (micros === 0) throw new Error('must be an amount such as 0.01: above 0, with at most six decimals')
  return micros
}

export const anyCount = integerFrom(0, 1_000_000_000)

/** Tries two parsers; the error message names what each of them allows. */
export function either<One, Other>(one: (text: string) => One, other: (text: string) => Other) {
  return (text: string): One | Other => {
    try {
      return one(text)
    } catch (first) {
      try {
        return other(text)
      } catch (second) {
        const more = (second as Error).message.replace(/^must be /, '')
        throw new Error(`${(first as Error).message}, or ${more}`)
      }
    }
  }
}

export function matching(pattern: RegExp, meaning: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text
    throw new Error(`must be ${meaning}`)
  }
}

/** `scheme://host[:port]`, maybe with a path, without a slash at the end. Its characters need no escaping anywhere. */
export function baseUrl(text: string): string {
  const { origin, pathname, search, hash, username } = httpUrl(text)
  const path = pathname.replace(/\/$/, '')
  if (search !== '' || hash !== '' || username !== '')
    throw new Error('must be a URL such as https://cards.example or https://example.com/cards, and no more')
  if (!/^(?:\/[\w.~-]+)*$/.test(path))
    throw new Error('must have a path of letters, digits and . _ ~ - only, if it has one')
  return origin + path
}

export function webUrl(text: string): string {
  return httpUrl(text).href
}

/** Checks that a file holds one or more certificates as PEM. */
export function certificates(contents: string): void {
  try {
    if (!contents.includes('-----BEGIN ')) throw new Error('no PEM')
    tls.createSecureContext({ ca: contents })
  } catch {
    throw new Error('names a file that holds no certificate as PEM')
  }
}

/** A host name or address with an optional port, in lower case, as in a Host header. */
export function hostName(text: string): string {
  const host = text.toLowerCase()
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:\d{1,5})?$/.test(host)) return host
  throw new Error(`must hold host names, not ${text}`)
}

/** `name=url`. */
export function namedUrl(text: string): { readonly name: string; readonly url: string } {
  const equals = text.indexOf('=')
  if (equals < 1) throw new Error('must hold name=url')
  return { name: text.slice(0, equals).trim(), url: webUrl(text.slice(equals + 1)) }
}

/** `host:port`; an IPv6 host is in brackets. */
export function endpoint(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === '') throw new Error('must hold host:port')
  return { host, port: integerFrom(1, 65535)(port) }
}

/** A JSON object of header names and values. */
export function headerMap(text: string): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(JSON.parse(text)))
  } catch {
    throw new Error('must be a JSON object of header names and values')
  }
}

/** Checks the form only: a checksum needs Keccak, which viem brings where payments are on. */
export const ethereumAddress = matching(/^0x[0-9a-f]{40}$/i, 'an address: 0x and 40 hex digits')

/** The order of the group of secp256k1: private keys lie between zero and it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Parses a private key of secp256k1. No error message quotes a digit of it. */
export function privateKey(text: string): `0x${string}` {
  const [, digits] = /^0x([0-9a-f]{64})$/i.exec(text) ?? []
  if (digits === undefined) throw new Error('must be 0x and 64 hex digits')
  const number = BigInt(`0x${digits}`)
  if (number > 0n && number < curveOrder) return `0x${digits}`
  throw new Error('must be a private key of secp256k1: above zero and below the order of the curve')
}

/** A comma list of `parse`d entries; empty entries are ignored. */
export function commaListOf<Value>(parse: (text: string) => Value) {
  return (text: string): readonly Value[] =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parse)
}

function httpUrl(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const withScheme = URL.parse(`https://${text}`)
  const isSchemeMissing = url === null && withScheme !== null && withScheme.username === ''
  throw new Error(
    `must be an absolute http or https URL${isSchemeMissing ? `, such as https://${text}` : ''}`,
  )
}
