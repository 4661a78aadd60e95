import { checkStatus } from './check-status.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { acceptEncoding } from './content-decoders.ts'
import { createCookieJar } from './cookie-jar.ts'
import { FetchFailure } from './fetch-failure.ts'
import { defaultLimits, type FetchLimits, type HopLimits } from './fetch-limits.ts'
import { createFetchSlots, type FetchLimiters, type FetchSlot, targetsOf } from './fetch-slots.ts'
import type { FetchedPage, FetchPageOptions, PageHead } from './fetched-page.ts'
import { createHop, type Hop, type HopOptions } from './hop.ts'
import { readResponseBody } from './read-body.ts'
import type { PendingResponse } from './send-request.ts'
import { checkUrl, defaultPorts, redirectTarget } from './url-rules.ts'

export interface WebFetcherOptions extends HopOptions {
  readonly userAgent: string
  readonly allowPorts?: readonly number[]
  readonly limits?: Partial<FetchLimits>
}

export interface WebFetcher {
  /** Fetches a page whose URL comes from a caller, and follows its redirects. Rejects with FetchFailure only. */
  fetchPage(url: string, options: FetchPageOptions): Promise<FetchedPage>
}

export function createWebFetcher(options: WebFetcherOptions): WebFetcher {
  const { allowPorts = defaultPorts } = options
  const limiters = { lookups: new ConcurrencyLimiter(), requests: new ConcurrencyLimiter() }
  const hop = createHop(options)

  return {
    async fetchPage(rawUrl, page) {
      const url = checkUrl(rawUrl, allowPorts)
      const limits = pageLimits({ ...defaultLimits, ...options.limits }, page)
      const headers = requestHeaders(options.userAgent, page)
      try {
        return await fetchWithRedirects(url, page, { hop, limiters, headers, limits, allowPorts })
      } catch (failure) {
        throw failure instanceof FetchFailure ? failure : new FetchFailure('protocol_error')
      }
    },
  }
}

interface FetchContext {
  readonly hop: Hop
  readonly limiters: FetchLimiters
  readonly headers: Readonly<Record<string, string>>
  readonly limits: FetchLimits
  readonly allowPorts: readonly number[]
}

async function fetchWithRedirects(
  firstUrl: URL,
  page: FetchPageOptions,
  { hop, limiters, headers, limits, allowPorts }: FetchContext,
): Promise<FetchedPage> {
  const slots = createFetchSlots(limiters, page.requesters ?? [])
  const startedAt = performance.now()
  function elapsedMs() {
    return performance.now() - startedAt - slots.waitedMs()
  }
  function hopLimits({ preempted }: FetchSlot): HopLimits {
    return { ...limits, deadlineAt: performance.now() + limits.totalMs - elapsedMs(), preempted }
  }
  const redirects: { status: number; url: string }[] = []
  const cookies = createCookieJar()
  const visited = new Set<string>()

  async function fetchHop(url: URL): Promise<URL | FetchedPage> {
    let dnsMs = 0
    const addresses = await slots.lookup([], async (slot) => {
      const lookupAt = performance.now()
      const resolved = await hop.resolve(url, hopLimits(slot))
      dnsMs = performance.now() - lookupAt
      return resolved
    })
    return slots.request(targetsOf(url, addresses[0]), async (slot) => {
      const limitsOfHop = hopLimits(slot)
      const cookie = cookies.headerFor(url)
      const sent = cookie === undefined ? headers : { ...headers, Cookie: cookie }
      const pending = await hop.send(url, addresses, sent, limitsOfHop)
      const { response, socket, timing } = pending
      try {
        slot.retarget(targetsOf(url, socket.remoteAddress))
        slot.measure(() => socket.bytesRead)
        const status = response.statusCode ?? 0
        // A site that waits for its cookie redirects to the address that it was asked for.
        if (cookies.store(url, response.headers['set-cookie'] ?? [])) visited.clear()
        const target = redirectTarget(url, status, response.headers.location, allowPorts)
        if (target !== undefined) {
          redirects.push({ status, url: url.href })
          return target
        }
        const head = { url, status, headers: flatten(response.headers), redirects: [...redirects] }
        const body = await readPageBody(pending, head, page, limitsOfHop)
        return {
          ...head,
          ...body,
          isStranded: false,
          timingMs: { dns: dnsMs, ...timing, total: elapsedMs() },
        }
      } finally {
        socket.destroy()
      }
    })
  }

  return followRedirects(firstUrl, page, { fetchHop, redirects, visited, limits, allowPorts })
}

interface RedirectContext extends Pick<FetchContext, 'limits' | 'allowPorts'> {
  /** Fetches a page, or returns where it redirects to. */
  readonly fetchHop: (url: URL) => Promise<URL | FetchedPage>
  readonly redirects: { status: number; url: string }[]
  readonly visited: Set<string>
}

async function followRedirects(
  firstUrl: URL,
  page: FetchPageOptions,
  { fetchHop, redirects, visited, limits, allowPorts }: RedirectContext,
): Promise<FetchedPage> {
  function check(target: URL): URL {
    if (visited.has(target.href)) throw new FetchFailure('redirect_loop')
    if (redirects.length > limits.redirects) throw new FetchFailure('too_many_redirects')
    return target
  }

  async function follow(from: URL): Promise<FetchedPage> {
    for (let url = from; ; ) {
      visited.add(url.href)
      const result = await fetchHop(url)
      if (!(result instanceof URL)) return result
      url = check(result)
    }
  }

  for (let result = await follow(firstUrl); ; ) {
    const target = await page.onward?.(result)
    if (target === undefined) return result
    redirects.push({ status: result.status, url: result.url.href })
    try {
      result = await follow(check(checkUrl(target, allowPorts)))
    } catch {
      return { ...result, isStranded: true }
    }
  }
}

async function readPageBody(
  pending: PendingResponse,
  head: PageHead,
  page: FetchPageOptions,
  limits: HopLimits,
): Promise<Pick<FetchedPage, 'truncated' | 'bytes'>> {
  if (head.status === 304 && page.validators !== undefined) return unread
  if (page.anyStatus !== true) checkStatus(head)
  const sink = page.sink(head)
  if (sink === undefined) return unread
  const { truncated, wireBytes, decodedBytes } = await readResponseBody(pending, sink, limits)
  if (decodedBytes === 0 && page.anyStatus !== true) throw new FetchFailure('empty_response')
  return { truncated, bytes: { wire: wireBytes, decoded: decodedBytes } }
}

const unread = { truncated: false, bytes: { wire: 0, decoded: 0 } } as const

function pageLimits(limits: FetchLimits, page: FetchPageOptions): FetchLimits {
  return {
    ...limits,
    bodyBytes: page.bodyBytesMax ?? limits.bodyBytes,
    totalMs: Math.min(limits.totalMs, page.totalMsMax ?? limits.totalMs),
    redirects: Math.min(limits.redirects, page.redirectsMax ?? limits.redirects),
  }
}

function requestHeaders(userAgent: string, page: FetchPageOptions): Readonly<Record<string, string>> {
  return {
    'User-Agent': userAgent,
    Accept: page.accept ?? 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
    'Accept-Encoding': acceptEncoding,
    ...(page.acceptLanguage !== undefined && { 'Accept-Language': page.acceptLanguage }),
    ...(page.validators?.etag !== undefined && { 'If-None-Match': page.validators.etag }),
    ...(page.validators?.lastModified !== undefined && { 'If-Modified-Since': page.validators.lastModified }),
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
