import { createAddressPolicy } from './addresses.ts'
import { ACCEPT_ENCODING } from './decode.ts'
import type { OpenSocket } from './dial.ts'
import { FetchFailure } from './failure.ts'
import { createHop, type Hop, type HopLimits } from './hop.ts'
import { DEFAULT_LIMITS, type FetchLimits } from './limits.ts'
import type { FetchedPage, FetchPageOptions, PageHead } from './page.ts'
import { readPreemptibleBody } from './preemptible-body.ts'
import { followRedirect } from './redirect.ts'
import { createResolver, type Lookup } from './resolver.ts'
import { createSecure } from './secure.ts'
import { createOwnAddresses } from './self.ts'
import { createFetchSlots, type FetchSlots, type PacedSlot, slotsOfFetch, targetsOf } from './slots.ts'
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
  const slots = createFetchSlots()
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
        return await fetchWithin(url, page, { hop, slots, headers, limits, allowPorts })
      } catch (failure) {
        throw failure instanceof FetchFailure ? failure : new FetchFailure('protocol_error')
      }
    },
  }
}

interface Journey {
  readonly hop: Hop
  readonly slots: FetchSlots
  readonly headers: Readonly<Record<string, string>>
  readonly limits: FetchLimits
  readonly allowPorts: readonly number[]
}

const fetchWithin = async (first: URL, page: FetchPageOptions, journey: Journey): Promise<FetchedPage> => {
  const { hop, headers, limits, allowPorts } = journey
  const slots = slotsOfFetch(journey.slots, page.requesters ?? [])
  const startedAt = performance.now()
  /** Waiting for a turn does not count. */
  const spentMs = () => performance.now() - startedAt - slots.waitedMs()
  const hopLimits = ({ preempted }: PacedSlot): HopLimits => ({
    ...limits,
    deadlineAt: performance.now() + limits.totalMs - spentMs(),
    preempted,
  })
  const redirects: { status: number; url: string }[] = []
  const visited = new Set<string>()

  /** Where the redirect leads, or the page. */
  const ask = async (url: URL): Promise<URL | FetchedPage> => {
    let dns = 0
    const addresses = await slots.lookup(async (slot) => {
      const lookupAt = performance.now()
      const found = await hop.resolve(url, hopLimits(slot))
      dns = performance.now() - lookupAt
      return found
    })
    return slots.request(targetsOf(url, addresses[0]), async (slot) => {
      const within = hopLimits(slot)
      const exchange = await hop.send(url, addresses, headers, within)
      const { response, socket } = exchange
      try {
        slot.retarget(targetsOf(url, socket.remoteAddress))
        slot.count(() => socket.bytesRead)
        const status = response.statusCode ?? 0
        const next = followRedirect(url, status, response.headers.location, allowPorts)
        if (next !== null) {
          redirects.push({ status, url: url.href })
          return next
        }
        const head = { url, status, headers: flatten(response.headers), redirects }
        const body = await receive(exchange, head, page, within)
        return { ...head, ...body, timingMs: { dns, ...exchange.timing, total: spentMs() } }
      } finally {
        socket.destroy()
      }
    })
  }

  for (let url = first; ; ) {
    visited.add(url.href)
    const answer = await ask(url)
    if (!(answer instanceof URL)) return answer
    if (visited.has(answer.href)) throw new FetchFailure('redirect_loop')
    if (redirects.length > limits.redirects) throw new FetchFailure('too_many_redirects')
    url = answer
  }
}

type SentRequest = Awaited<ReturnType<Hop['send']>>

const receive = async (
  exchange: SentRequest,
  head: PageHead,
  page: FetchPageOptions,
  limits: HopLimits,
): Promise<Pick<FetchedPage, 'truncated' | 'bytes'>> => {
  if (page.anyStatus !== true) challengeOrStatus(head)
  const sink = page.sink(head)
  if (sink === null) return { truncated: false, bytes: { wire: 0, decoded: 0 } }
  const { truncated, wireBytes, decodedBytes } = await readPreemptibleBody(exchange, sink, limits)
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
