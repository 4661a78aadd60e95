import { isIP } from 'node:net'
import { parse } from 'tldts'
import { type DomainError, normalizeDomain } from '../assets/sitemap/normalize-domain.ts'
import type { KeyRow } from '../store/keys.ts'
import { createAddressPolicy } from '../web/address-policy.ts'
import { addressLiteral, mayBePrivate, portOf } from '../web/url-rules.ts'

/** How many hosts a key can name. */
export const hostsMax = 10
/** Characters of the longest list: names of 253 characters, a port each, and what is between them. */
export const hostsLengthMax = hostsMax * 262

/** `mistake` goes on after the name of the list: "names github.io, which is a public suffix". */
export type HostsResult = { readonly hosts: readonly string[] } | { readonly mistake: string }

export type HostReader = (text: string) => HostsResult

/**
 * Returns the reader of lists such as `example.com,example.org`. A host is a public name under which one owner has a site.
 * Where the operator allows private addresses to be fetched, a host may also be one of these, and may have a port.
 */
export function createHostReader(allowCidrs: readonly string[]): HostReader {
  const { isAllowlisted } = createAddressPolicy(allowCidrs)
  const allowsPorts = allowCidrs.length > 0

  function readHost(text: string): string | { readonly fault: string } {
    const [, name = text, port] = (allowsPorts && withPort.exec(text)) || []
    if (port !== undefined && Number(port) > 65_535) return { fault: faults.invalid_domain }
    const suffix = port === undefined ? '' : `:${Number(port)}`
    const address = name.replace(/^\[(.*)\]$/, '$1')
    if (isAllowlisted(address)) return urlHost(address) + suffix
    const privateName = privateNameIn(name, allowCidrs)
    if (privateName !== undefined) return privateName + suffix
    const domain = normalizeDomain(name)
    if ('error' in domain) return { fault: faults[domain.error] }
    return isPublicSuffix(domain.host) ? { fault: publicSuffix } : domain.host + suffix
  }

  return (list) => {
    const texts = list.split(/[\s,]+/).filter((text) => text !== '')
    const hosts = new Set<string>()
    for (const text of texts) {
      const host = readHost(text)
      if (typeof host !== 'string') return { mistake: `names ${text.slice(0, 100)}, which ${host.fault}` }
      hosts.add(host)
    }
    if (hosts.size === 0 && list !== '') return { mistake: 'names no host' }
    if (hosts.size > hostsMax) return { mistake: `names ${hosts.size} hosts, and a key can name ${hostsMax}` }
    return { hosts: [...hosts] }
  }
}

/** The hosts that a key names. */
export function hostsOf({ hosts }: Pick<KeyRow, 'hosts'>): readonly string[] {
  return hosts === '' ? [] : hosts.split(',')
}

/** Whether a URL is on one of the hosts or on a subdomain of one. A host without a port stands for all of them. */
export function isOnHosts(url: URL, hosts: readonly string[]): boolean {
  const name = url.hostname.replace(/\.$/, '')
  return hosts.some((host) => {
    const [, hostName = host, port] = withPort.exec(host) ?? []
    return (
      (name === hostName || name.endsWith(`.${hostName}`)) &&
      (port === undefined || Number(port) === portOf(url))
    )
  })
}

/** A name such as `localhost`, as URLs have it, if the operator allows private hosts. */
function privateNameIn(text: string, allowCidrs: readonly string[]): string | undefined {
  const url = URL.parse(`http://${text}/`)
  const isName = url !== null && addressLiteral(url) === undefined && url.hostname === text.toLowerCase()
  return isName && mayBePrivate(url.hostname, allowCidrs) ? url.hostname : undefined
}

function urlHost(address: string): string {
  return new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}/`).hostname
}

const withPort = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/

function isPublicSuffix(host: string): boolean {
  return parse(host, { allowPrivateDomains: true }).domain === null
}

const publicSuffix = 'is a public suffix: anybody can have a site below it'

const faults: Readonly<Record<DomainError, string>> = {
  invalid_domain: 'is not the name of a host',
  ip_not_a_domain: 'is an address, not the name of a host',
  unknown_tld: 'ends with no top-level domain that there is',
  reserved_domain: 'is reserved for private networks',
}
