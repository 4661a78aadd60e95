import { createAddressPolicy } from './addresses.ts'
import { readBody } from './body.ts'
import { ACCEPT_ENCODING } from './decode.ts'
import type { OpenSocket } from './dial.ts'
import { FetchFailure } from './failure.ts'
import { createGate, type Gate } from './gate.ts'
import { createHop, type Hop } from './hop.ts'
import { DEFAULT_LIMITS, type FetchLimits } from './limits.ts'
import type { FetchedPage, FetchPageOptions, PageHead } from './page.ts'
import { followRedirect } from './redirect.ts'
import { createResolver, type Lookup } from './resolver.ts'
import { createSecure } from './secure.ts'
import { createOwnAddresses } from './self.ts'
import { challengeOrStatus } from './status.ts'
import { checkUrl, DEFAULT_PORTS } from './url-rules.ts'

export interface WebFetcherOptions {
  readonly userAgent: string
  /** Ranges beyond the public internet that may be fetched from. */
  readonly allowCidrs?: readonly string[]
  readonly allowPorts?: readonly number[]
  /** `host:port` of DNS servers; the system's when empty. */
  readonly dnsServers?: readonly string[]
  /** PEM of a root to trust besides the usual ones. */
  readonly extraRoot?: string
  /** Host names under which this service is reached, and the ports that it listens on. */
  readonly ownHosts?: readonly string[]
  readonly ownPorts?: readonly number[]
  /** The operator's refusal, asked for every host on the way. */
  readonly isDenied?: (host: string) => boolean
  readonly limits?: Partial<FetchLimits>
  /** Tests stand in for DNS and for the network here. */
  readonly lookup?: Lookup
  readonly openSocket?: OpenSocket
}

export interface WebFetcher {
  /** Fetches a page that a stranger named. Rejects with FetchFailure only. */
  fetchPage(url: string, options: FetchPageOptions): Promise<FetchedPage>
}

/** The only door to callers' URLs. Every hop is checked, resolved, vetted and connected to by address. */
export const createWebFetcher = (options: WebFetcherOptions): WebFetcher => {
  const allowPorts = options.allowPorts ?? DEFAULT_PORTS
  const { dnsServers, lookup, openSocket } = options
  const gate = createGate()
  const hop = createHop({
    policy: createAddressPolicy(options.allowCidrs),
    ownAddresses: createOwnAddresses(),
    ownHosts: options.ownHosts ?? [],
    ownPorts: options.ownPorts ?? [],
    isDenied: options.isDenied ?? (() => false),
    resolve: createResolver({ ...(dnsServers && { servers: dnsServers }), ...(lookup && { lookup }) }),
    connector: { secure: createSecure(options.extraRoot), ...(openSocket && { openSocket }) },
  })

  return {
    async fetchPage(raw, page) {
      const url = checkUrl(raw, allowPorts)
      const limits = pageLimits({ ...DEFAULT_LIMITS, ...options.limits }, page)
      const headers = requestHeaders(options.userAgent, page)
      try {
        return await fetchWithin(url, page, { hop, gate, headers, limits, allowPorts })
      } catch (failure) {
        throw failure instanceof FetchFailure ? failure : new FetchFailure('protocol_error')
      }
    },
  }
}

interface Journey {
  readonly hop: Hop
  readonly gate: Gate
  readonly headers: Readonly<Record<string, string>>
  readonly limits: FetchLimits
  readonly allowPorts: readonly number[]
}

const fetchWithin = async (first: URL, page: FetchPageOptions, journey: Journey): Promise<FetchedPage> => {
  const { hop, gate, headers, limits, allowPorts } = journey
  let startedAt = performance.now()
  const redirects: { status: number; url: string }[] = []
  const visited = new Set<string>()
  let url = first
  for (;;) {
    visited.add(url.href)
    const queuedAt = performance.now()
    const leave = await gate.enter(url.hostname)
    // Waiting for a turn does not count: the site is not to blame for it.
    startedAt += performance.now() - queuedAt
    const deadlineAt = startedAt + limits.totalMs
    let exchange: Awaited<ReturnType<Hop>> | undefined
    try {
      exchange = await hop(url, headers, limits, deadlineAt)
      const { response } = exchange
      const status = response.statusCode ?? 0
      const next = followRedirect(url, status, response.headers.location, allowPorts)
      if (next === null) {
        const head = { url, status, headers: flatten(response.headers), redirects }
        const body = await receive(exchange, head, page, limits, deadlineAt)
        return { ...head, ...body, timingMs: { ...exchange.timing, total: performance.now() - startedAt } }
      }
      if (visited.has(next.href)) throw new FetchFailure('redirect_loop')
      if (redirects.length >= limits.redirects) throw new FetchFailure('too_many_redirects')
      redirects.push({ status, url: url.href })
      url = next
    } finally {
      exchange?.socket.destroy()
      leave()
    }
  }
}

const receive = async (
  exchange: Awaited<ReturnType<Hop>>,
  head: PageHead,
  page: FetchPageOptions,
  limits: FetchLimits,
  deadlineAt: number,
): Promise<Pick<FetchedPage, 'truncated' | 'bytes'>> => {
  if (page.anyStatus !== true) challengeOrStatus(head)
  const sink = page.sink(head)
  if (sink === null) return { truncated: false, bytes: { wire: 0, decoded: 0 } }
  const { truncated, wireBytes, decodedBytes } = await readBody(exchange, sink, limits, deadlineAt)
  if (decodedBytes === 0 && page.anyStatus !== true) throw new FetchFailure('empty_response')
  return { truncated, bytes: { wire: wireBytes, decoded: decodedBytes } }
}

const pageLimits = (limits: FetchLimits, page: FetchPageOptions): FetchLimits => ({
  ...limits,
  bodyBytes: Math.min(limits.bodyBytes, page.bodyBytesMax ?? limits.bodyBytes),
  totalMs: Math.min(limits.totalMs, page.totalMsMax ?? limits.totalMs),
})

const requestHeaders = (userAgent: string, page: FetchPageOptions): Readonly<Record<string, string>> => ({
  'User-Agent': userAgent,
  Accept: page.accept ?? 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
  'Accept-Encoding': ACCEPT_ENCODING,
  ...(page.acceptLanguage !== undefined && { 'Accept-Language': page.acceptLanguage }),
})

const flatten = (headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
