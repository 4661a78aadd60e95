import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { errorCode } from '../lib/error-code.ts'
import { FetchFailure } from './fetch-failure.ts'

/** Returns every address of a host name, IPv6 and IPv4. Rejects with FetchFailure `dns_not_found`, `dns_error` or `timeout_dns`. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** One DNS query. Tests replace it. `ttl` is in seconds. */
export type Lookup = (
  host: string,
  family: 4 | 6,
) => Promise<readonly { readonly address: string; readonly ttl: number }[]>

export interface ResolverOptions {
  /** `host:port` of DNS servers; those of the system if empty. */
  readonly dnsServers?: readonly string[]
  readonly lookup?: Lookup
}

/** Keeps answers for the time that DNS allows, and sends one query for equal questions at the same time. */
export function createResolver({
  dnsServers = [],
  lookup = systemLookup(dnsServers),
}: ResolverOptions = {}): Resolve {
  const answers = new LRUCache<string, readonly string[]>({
    max: 2_000,
    async fetchMethod(host, _, { options }) {
      const results = await Promise.allSettled([lookup(host, 6), lookup(host, 4)])
      const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      if (records.length === 0) throw resolutionFailure(results)
      const ttlSeconds = Math.min(ttlMaxSeconds, ...records.map((record) => record.ttl))
      options.ttl = Math.max(ttlMinSeconds, ttlSeconds) * 1000
      return [...new Set(records.map((record) => record.address))]
    },
  })
  return async (host) => (await answers.fetch(host)) ?? []
}

/** So that a name does not change its addresses within one fetch. */
const ttlMinSeconds = 5
const ttlMaxSeconds = 60

function systemLookup(servers: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return (host, family) =>
    family === 4 ? resolver.resolve4(host, { ttl: true }) : resolver.resolve6(host, { ttl: true })
}

function resolutionFailure(results: readonly PromiseSettledResult<unknown>[]): FetchFailure {
  const codes = results.map((result) => (result.status === 'rejected' ? errorCode(result.reason) : 'ENODATA'))
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA'))
    return new FetchFailure('dns_not_found')
  return new FetchFailure(codes.includes('ETIMEOUT') ? 'timeout_dns' : 'dns_error')
}
