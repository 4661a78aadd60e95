import { createAddressPolicy } from './address-policy.ts'
import { checkStatus } from './check-status.ts'
import type { OpenSocket } from './connect-tcp.ts'
import { createTlsConnector } from './connect-tls.ts'
import { acceptEncoding } from './content-decoders.ts'
import { FetchFailure } from './fetch-failure.ts'
import { defaultLimits, type FetchLimits } from './fetch-limits.ts'
import {
  createFetchLimiters,
  createFetchSlots,
  type FetchLimiters,
  type FetchSlot,
  targetsOf,
} from './fetch-slots.ts'
import type { FetchedPage, FetchPageOptions, PageHead } from './fetched-page.ts'
import { createHop, type Hop, type HopLimits } from './hop.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { readPreemptibleBody } from './read-preemptible-body.ts'
import { redirectTarget } from './redirect-target.ts'
import { createResolver, type Lookup } from './resolver.ts'
import { checkUrl, defaultPorts } from './url-rules.ts'

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

export function createWebFetcher(options: WebFetcherOptions): WebFetcher {
  const allowPorts = options.allowPorts ?? defaultPorts
  const { dnsServers, lookup, openSocket } = options
  const slots = createFetchLimiters()
  const hop = createHop({
    policy: createAddressPolicy(options.allowCidrs),
    ownAddresses: createOwnAddresses(),
    ownHosts: options.ownHosts ?? [],
    ownPorts: options.ownPorts ?? [],
    isDenied: options.isDenied ?? (() => false),
    resolve: createResolver({ ...(dnsServers && { servers: dnsServers }), ...(lookup && { lookup }) }),
    connector: { connectTls: createTlsConnector(options.extraRoot), ...(openSocket && { openSocket }) },
  })

  return {
    async fetchPage(raw, page) {
      const url = checkUrl(raw, allowPorts)
      const limits = pageLimits({ ...defaultLimits, ...options.limits }, page)
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
  readonly slots: FetchLimiters
  readonly headers: Readonly<Record<string, string>>
  readonly limits: FetchLimits
  readonly allowPorts: readonly number[]
}

async function fetchWithin(first: URL, page: FetchPageOptions, journey: Journey): Promise<FetchedPage> {
  const { hop, headers, limits, allowPorts } = journey
  const slots = createFetchSlots(journey.slots, page.requesters ?? [])
  const startedAt = performance.now()
  function spentMs() {
    return performance.now() - startedAt - slots.waitedMs()
  }
  function hopLimits({ preempted }: FetchSlot): HopLimits {
    return {
      ...limits,
      deadlineAt: performance.now() + limits.totalMs - spentMs(),
      preempted,
    }
  }
  const redirects: { status: number; url: string }[] = []
  const visited = new Set<string>()

  async function ask(url: URL): Promise<URL | FetchedPage> {
    let dns = 0
    const addresses = await slots.lookup(async (slot) => {
      const lookupAt = performance.now()
      const found = await hop.resolve(url, hopLimits(slot))
      dns = performance.now() - lookupAt
      return found
    })
    return slots.request(targetsOf(url, addresses[0]), async (slot) => {
      const within = hopLimits(slot)
      const context = await hop.send(url, addresses, headers, within)
      const { response, socket } = context
      try {
        slot.retarget(targetsOf(url, socket.remoteAddress))
        slot.measure(() => socket.bytesRead)
        const status = response.statusCode ?? 0
        const next = redirectTarget(url, status, response.headers.location, allowPorts)
        if (next !== null) {
          redirects.push({ status, url: url.href })
          return next
        }
        const head = { url, status, headers: flatten(response.headers), redirects }
        const body = await receive(context, head, page, within)
        return { ...head, ...body, timingMs: { dns, ...context.timing, total: spentMs() } }
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

async function receive(
  context: SentRequest,
  head: PageHead,
  page: FetchPageOptions,
  limits: HopLimits,
): Promise<Pick<FetchedPage, 'truncated' | 'bytes'>> {
  if (page.anyStatus !== true) checkStatus(head)
  const sink = page.sink(head)
  if (sink === null) return { truncated: false, bytes: { wire: 0, decoded: 0 } }
  const { truncated, wireBytes, decodedBytes } = await readPreemptibleBody(context, sink, limits)
  if (decodedBytes === 0 && page.anyStatus !== true) throw new FetchFailure('empty_response')
  return { truncated, bytes: { wire: wireBytes, decoded: decodedBytes } }
}

function pageLimits(limits: FetchLimits, page: FetchPageOptions): FetchLimits {
  return {
    ...limits,
    bodyBytes: Math.min(limits.bodyBytes, page.bodyBytesMax ?? limits.bodyBytes),
    totalMs: Math.min(limits.totalMs, page.totalMsMax ?? limits.totalMs),
  }
}

function requestHeaders(userAgent: string, page: FetchPageOptions): Readonly<Record<string, string>> {
  return {
    'User-Agent': userAgent,
    Accept: page.accept ?? 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
    'Accept-Encoding': acceptEncoding,
    ...(page.acceptLanguage !== undefined && { 'Accept-Language': page.acceptLanguage }),
  }
}

function flatten(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
