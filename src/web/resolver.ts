import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { FetchFailure } from './failure.ts'

/** Every address of a name, IPv6 and IPv4. Rejects with `dns_not_found`, `dns_error` or `timeout_dns`. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** One question; the test's stand-in for DNS. */
export type Lookup = (
  host: string,
  family: 4 | 6,
) => Promise<readonly { readonly address: string; readonly ttl: number }[]>

export interface ResolverOptions {
  /** `host:port`; the system's resolvers when empty. */
  readonly servers?: readonly string[]
  readonly lookup?: Lookup
}

/** Asks for A and AAAA in parallel and remembers the answer for as long as it says, within a minute. Equal questions share one answer. */
export const createResolver = ({
  servers = [],
  lookup = systemLookup(servers),
}: ResolverOptions = {}): Resolve => {
  const answers = new LRUCache<string, readonly string[]>({ max: 2_000 })
  const asking = new Map<string, Promise<readonly string[]>>()

  const ask = async (host: string) => {
    const results = await Promise.allSettled([lookup(host, 6), lookup(host, 4)])
    const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (records.length === 0) throw resolutionFailure(results)
    const ttlSeconds = Math.max(
      TTL_MIN_SECONDS,
      Math.min(TTL_MAX_SECONDS, ...records.map((record) => record.ttl)),
    )
    const addresses = [...new Set(records.map((record) => record.address))]
    answers.set(host, addresses, { ttl: ttlSeconds * 1000 })
    return addresses
  }

  return (host) => {
    const known = answers.get(host)
    if (known !== undefined) return Promise.resolve(known)
    const current = asking.get(host)
    if (current !== undefined) return current
    const question = ask(host).finally(() => asking.delete(host))
    asking.set(host, question)
    return question
  }
}

/** At least this long, so that a name cannot answer differently within one fetch. */
const TTL_MIN_SECONDS = 5
const TTL_MAX_SECONDS = 60

const systemLookup = (servers: readonly string[]): Lookup => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return (host, family) =>
    family === 4 ? resolver.resolve4(host, { ttl: true }) : resolver.resolve6(host, { ttl: true })
}

const resolutionFailure = (results: readonly PromiseSettledResult<unknown>[]): FetchFailure => {
  const codes = results.map((result) => (result.status === 'rejected' ? errorCode(result.reason) : 'ENODATA'))
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA'))
    return new FetchFailure('dns_not_found')
  return new FetchFailure(codes.includes('ETIMEOUT') ? 'timeout_dns' : 'dns_error')
}

const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
