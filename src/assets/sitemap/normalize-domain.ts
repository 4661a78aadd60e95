import { isIP } from 'node:net'
import { parse } from 'tldts'
import { reservedSuffixes } from '../../web/url-rules.ts'

export type DomainError = 'invalid_domain' | 'ip_not_a_domain' | 'unknown_tld' | 'reserved_domain'

export type DomainResult = { readonly host: string } | { readonly error: DomainError }

/** Reads a host name, or a pasted URL, to a public host name in ASCII. */
export function normalizeDomain(input: string): DomainResult {
  const text = authorityOf(input.trim())
  if (text === undefined) return { error: 'invalid_domain' }
  if (!URL.canParse(`https://${text}/`)) return { error: 'invalid_domain' }
  const host = new URL(`https://${text}/`).hostname.replace(/\.$/, '')
  if (isIP(host) !== 0 || host.startsWith('[')) return { error: 'ip_not_a_domain' }
  const labels = host.split('.')
  if (host.length > 253 || !labels.every((label) => hostLabel.test(label))) return { error: 'invalid_domain' }
  if (reservedSuffixes.has(labels.at(-1) ?? '')) return { error: 'reserved_domain' }
  if (labels.length < 2) return { error: 'invalid_domain' }
  const { domain, isIcann, isPrivate } = parse(host)
  if (isIcann !== true && isPrivate !== true) return { error: 'unknown_tld' }
  return domain === null ? { error: 'invalid_domain' } : { host }
}

/** Returns whether two hosts have one registrable domain, by the public suffix list. */
export function isSameSite(host: string, other: string): boolean {
  return siteOf(host) === siteOf(other)
}

export function siteOf(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host
}

function authorityOf(text: string): string | undefined {
  const authority = text.replace(/^https?:\/\//i, '').split(/[/?#]/)[0] ?? ''
  return hostOnly.test(authority) ? authority : undefined
}

/** No character that begins a port, a path or a user name. IPv6 literals pass, to get an error of their own. */
const hostOnly = /^(?:[^\s:/?#@\\%*[\]]+|\[[0-9a-fA-F:.]+\])$/

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
