import { isIP } from 'node:net'
import { parse } from 'tldts'
import { reservedSuffixes } from '../../web/url-rules.ts'

export type DomainFault = 'invalid_domain' | 'ip_not_a_domain' | 'unknown_tld' | 'reserved_domain'

export type DomainResult = { readonly host: string } | { readonly fault: DomainFault }

export function normalizeDomain(input: string): DomainResult {
  const text = hostPart(input.trim())
  if (text === null) return { fault: 'invalid_domain' }
  if (!URL.canParse(`https://${text}/`)) return { fault: 'invalid_domain' }
  const host = new URL(`https://${text}/`).hostname.replace(/\.$/, '')
  if (isIP(host) !== 0 || host.startsWith('[')) return { fault: 'ip_not_a_domain' }
  const labels = host.split('.')
  if (host.length > 253 || !labels.every((label) => hostLabel.test(label))) return { fault: 'invalid_domain' }
  if (reservedSuffixes.has(labels.at(-1) ?? '')) return { fault: 'reserved_domain' }
  if (labels.length < 2) return { fault: 'invalid_domain' }
  const { domain, isIcann, isPrivate } = parse(host)
  if (isIcann !== true && isPrivate !== true) return { fault: 'unknown_tld' }
  return domain === null ? { fault: 'invalid_domain' } : { host }
}

export function siteOf(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host
}

function hostPart(text: string): string | null {
  const authority = text.replace(/^https?:\/\//i, '').split(/[/?#]/)[0] ?? ''
  return hostOnly.test(authority) ? authority : null
}

/** Nothing that could end the host and begin a port, a path or a user name. IPv6 literals pass, to be named as such. */
const hostOnly = /^(?:[^\s:/?#@\\%*[\]]+|\[[0-9a-fA-F:.]+\])$/

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
