import { isIP } from 'node:net'
import { FetchFailure } from './fetch-failure.ts'

export const urlLengthMax = 2048
export const defaultPorts: readonly number[] = [80, 443, 8080, 8443]

export function checkUrl(raw: string, allowPorts: readonly number[] = defaultPorts): URL {
  const text = raw.trim()
  if (text.length > urlLengthMax) throw new FetchFailure('url_too_long')
  if (control.test(text) || !scheme.test(text)) throw new FetchFailure('invalid_url')
  if (!/^https?:/i.test(text)) throw new FetchFailure('unsupported_scheme')
  if (!URL.canParse(text)) throw new FetchFailure('invalid_url')
  return checkParsedUrl(new URL(text), allowPorts)
}

export function checkParsedUrl(url: URL, allowPorts: readonly number[] = defaultPorts): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailure('unsupported_scheme')
  if (url.username !== '' || url.password !== '') throw new FetchFailure('credentials_in_url')
  if (url.href.length > urlLengthMax * 3) throw new FetchFailure('url_too_long')
  const checked = new URL(url)
  checked.hash = ''
  if (checked.hostname.endsWith('.')) checked.hostname = checked.hostname.slice(0, -1)
  if (addressLiteral(checked) === null) checkHostName(checked.hostname)
  if (!allowPorts.includes(portOf(checked))) throw new FetchFailure('blocked_port')
  return checked
}

export function addressLiteral(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return isIP(host) === 0 ? null : host
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Names that never lead to the public internet: RFC 6761 and 6762, 7686, 8375, 9476, ICANN's `.internal` and the names it will never delegate. */
export const reservedSuffixes: ReadonlySet<string> = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
])

function checkHostName(host: string): void {
  const labels = host.split('.')
  const wellFormed = host.length <= 253 && labels.every((label) => label.length > 0 && label.length <= 63)
  const reserved = reservedSuffixes.has(labels.at(-1) ?? '')
  if (!wellFormed || labels.length < 2 || reserved) throw new FetchFailure('blocked_host')
}

const scheme = /^[a-z][a-z0-9+.-]*:/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const control = /[\u0000-\u001f\u007f]/
