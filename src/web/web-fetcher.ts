import { addressBlock } from '../lib/client-addresses.ts'
import { awakeNowMs } from '../lib/clock.ts'
import { FairLimiter, type LimitedTarget, LimiterFull, type Retarget } from '../lib/fair-limiter.ts'
import { queuedMsMax, WaitEnded } from '../lib/waiter.ts'
import { connectionCandidates, type FetchLimits, type HopLimits } from './connect.ts'
import { acceptEncoding } from './content-decoders.ts'
import { createCookieJar } from './cookie-jar.ts'
import { FetchFailure } from './fetch-failure.ts'
import defaultLimits from './fetch-limits.json' with { type: 'json' }
import { checkStatus, type FetchedPage, type FetchPageOptions, type PageHead } from './fetched-page.ts'
import { createHop, type HopOptions, type PendingResponse } from './hop.ts'
import { BodyReader } from './read-body.ts'
import { operatorRequester, type Requester } from './requester.ts'
import { createTargetLimit, type ReservationCounts, type TargetLimit } from './target-limit.ts'
import { checkUrl, redirectTarget, type UrlRules } from './url-rules.ts'

export interface WebFetcherOptions extends HopOptions, UrlRules {
  readonly userAgent: string
  readonly limits?: Partial<FetchLimits>
  /** Shared by all fetchers of the process. Without it the fetcher may ask as much as it likes. */
  readonly targets?: TargetLimit
}

export type WebFetcher = ReturnType<typeof createWebFetcher>

export function createWebFetcher(options: WebFetcherOptions) {
  const shared = sharedParts(options)
  return {
    /** Fetches a page whose URL comes from a caller, and follows its redirects. Rejects with FetchFailure only. */
    async fetchPage(rawUrl: string, page: FetchPageOptions): Promise<FetchedPage> {
      const url = checkUrl(rawUrl, options)
      const limits = pageLimits({ ...defaultLimits, ...options.limits }, page)
      const headers = requestHeaders(options.userAgent, page)
      try {
        return await fetchWithRedirects(url, page, headers, limits, shared)
      } catch (failure) {
        const isOurs = failure instanceof FetchFailure || failure instanceof WaitEnded
        throw isOurs ? failure : new FetchFailure('protocol_error')
      }
    },
    /** Takes requests to the site of a host for pages that are fetched next. Throws FetchFailure if there are too few. */
    reserve: (host: string, counts: ReservationCounts, requesters: Iterable<Requester> = []) =>
      shared.targets.reserve(host, requesters, counts),
  }
}

const slots = {
  runningMax: 64,
  runningPerClientMax: 16,
  waitingMax: 512,
  waitingPerClientMax: 64,
  waitMsMax: queuedMsMax,
  dropsNewest: true,
}
const perHostMax = 2
/** Connections to one address or IPv6 network, under whatever host names it is reached. */
const perAddressMax = 8

function targetsOf(url: URL, address: string | undefined): readonly LimitedTarget[] {
  const host = { name: `host ${url.hostname}`, max: perHostMax }
  if (address === undefined) return [host]
  return [host, { name: `address ${addressBlock(address)}`, max: perAddressMax }]
}

/** The parts that all fetches share. */
function sharedParts(rules: WebFetcherOptions) {
  const { targets = createTargetLimit({ perMinute: Number.MAX_SAFE_INTEGER, now: Date.now }) } = rules
  return {
    lookups: new FairLimiter(slots),
    requests: new FairLimiter(slots),
    targets,
    hop: createHop(rules),
    rules,
  }
}

async function fetchWithRedirects(
  firstUrl: URL,
  page: FetchPageOptions,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  { lookups, requests, targets, hop, rules }: ReturnType<typeof sharedParts>,
): Promise<FetchedPage> {
  const { requesters = [operatorRequester], reservation, waiter } = page
  const startedAt = awakeNowMs()
  /** Time that is not the site's fault: waits for slots, and reading what it sent. */
  let ownMs = 0
  function elapsedMs() {
    return awakeNowMs() - startedAt - ownMs
  }
  function hopLimits(wireBytes = Infinity): HopLimits {
    return { ...limits, deadlineAt: awakeNowMs() + limits.totalMs - elapsedMs(), wireBytes }
  }
  async function inSlot<T>(
    limiter: FairLimiter,
    targets: readonly LimitedTarget[],
    work: (retarget: Retarget) => Promise<T>,
  ): Promise<T> {
    const queuedAt = awakeNowMs()
    try {
      return await limiter.run({ clients: requesters, targets, waiter }, (retarget) => {
        ownMs += awakeNowMs() - queuedAt
        return work(retarget)
      })
    } catch (error) {
      throw error instanceof LimiterFull ? new FetchFailure('too_busy') : error
    }
  }
  const redirects: { status: number; url: string }[] = []
  const cookies = createCookieJar()
  const visited = new Set<string>()

  async function fetchHop(url: URL): Promise<URL | FetchedPage> {
    const { request, addresses, dnsMs } = await inSlot(lookups, [], async () => {
      hop.checkName(url)
      const request = targets.begin(url.hostname, requesters, reservation)
      const lookupAt = performance.now()
      const addresses = await hop.resolve(url, hopLimits())
      return { request, addresses, dnsMs: performance.now() - lookupAt }
    })
    let bytesRead = () => 0
    return inSlot(requests, targetsOf(url, addresses[0]), async (retarget) => {
      // A name that is looked up is not yet a request to the site.
      waiter?.begin()
      const limitsOfHop = hopLimits(request.wireBytesMax(limits.bodyBytes))
      const candidates = request.send(connectionCandidates(addresses), limits.bodyBytes)
      const cookie = cookies.headerFor(url)
      const sent = cookie === undefined ? headers : { ...headers, Cookie: cookie }
      const pending = await hop.send({ url, headers: sent }, candidates, limitsOfHop)
      const { response, socket, timing } = pending
      bytesRead = () => socket.bytesRead
      try {
        request.reached(socket.remoteAddress ?? '')
        retarget(targetsOf(url, socket.remoteAddress))
        const status = response.statusCode ?? 0
        // A site that waits for its cookie redirects to the address that it was asked for.
        if (cookies.store(url, response.headers['set-cookie'] ?? [])) visited.clear()
        const target = redirectTarget(url, status, response.headers.location, rules)
        if (target !== undefined) {
          redirects.push({ status, url: url.href })
          return target
        }
        const joined = Object.entries(response.headers).map(([name, value = '']) => [
          name,
          [value].flat().join(', '),
        ])
        const head = { url, status, headers: Object.fromEntries(joined), redirects: [...redirects] }
        const { ownMs: readMs, ...body } = await readPageBody(pending, head, page, limitsOfHop)
        ownMs += readMs
        const timingMs = { dns: dnsMs, ...timing, total: elapsedMs() }
        return { ...head, ...body, isStranded: false, timingMs }
      } finally {
        socket.destroy()
      }
    }).finally(() => request.end(bytesRead()))
  }

  async function onward(fetched: FetchedPage): Promise<string | undefined> {
    const sinceMs = awakeNowMs()
    try {
      return await page.onward?.(fetched)
    } finally {
      ownMs += awakeNowMs() - sinceMs
    }
  }

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
    const target = await onward(result)
    if (target === undefined) return result
    redirects.push({ status: result.status, url: result.url.href })
    try {
      result = await follow(check(checkUrl(target, rules)))
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
): Promise<Pick<FetchedPage, 'truncated' | 'isUnpaidPart' | 'bytes'> & { readonly ownMs: number }> {
  if (head.status === 304 && page.validators !== undefined) return unread
  if (page.anyStatus !== true) checkStatus(head)
  const sink = page.sink(head)
  if (sink === undefined) return unread
  const body = await new BodyReader(pending, sink, limits).read()
  const { truncated, isCut, wireBytes, decodedBytes, ownMs } = body
  if (decodedBytes === 0 && page.anyStatus !== true) throw new FetchFailure('empty_response')
  return {
    truncated,
    isUnpaidPart: isCut && limits.wireBytes < limits.bodyBytes,
    bytes: { wire: wireBytes, decoded: decodedBytes },
    ownMs,
  }
}

const unread = { truncated: false, isUnpaidPart: false, bytes: { wire: 0, decoded: 0 }, ownMs: 0 } as const

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
