import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { createCharsetDecoder } from '../../web/charset.ts'
import { createGunzip, type Gunzip } from '../../web/content-decoders.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import {
  checkStatus,
  type FetchedPage,
  type FetchPageOptions,
  type PageHead,
} from '../../web/fetched-page.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { TargetReservation } from '../../web/target-limit.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isHtml } from '../preview/file-preview.ts'
import { createPageParser, type PageParser } from '../preview/page-parser.ts'
import { findWall } from './find-wall.ts'
import type { SitemapReader } from './read-sitemap.ts'

type SiteLimits = Readonly<Record<'totalMs' | 'pagesMax' | 'bytesMax' | 'requestsMax', number>>

/** With fewer, for robots.txt, the home page and a sitemap, there is nothing to find. */
const requestsMin = 3

export interface TextFile {
  readonly page: FetchedPage
  readonly text: string
}

export type SiteClient = ReturnType<typeof createSiteClient>

/** Hands `work` a client of one site, whose requests are reserved. Rejects with FetchFailure. */
export async function withSiteClient<Result>(
  fetcher: WebFetcher,
  host: string,
  limits: SiteLimits,
  work: (client: SiteClient) => Promise<Result>,
): Promise<Result> {
  const reservation = fetcher.reserve(host, { countMax: limits.requestsMax, countMin: requestsMin })
  try {
    return await work(createSiteClient(fetcher, limits, reservation))
  } finally {
    reservation.release()
  }
}

/** Fetches from one site. Resolves with undefined if the limits are used up; rejects with FetchFailure. */
function createSiteClient(fetcher: WebFetcher, limits: SiteLimits, reservation: TargetReservation) {
  const deadlineAtMs = performance.now() + limits.totalMs
  let requests = 0
  let hasAnswered = false
  let isCut = false
  let pages = 0
  let bytes = 0
  let sitemapBytes = 0

  async function fetchInTime(url: string, options: FetchPageOptions): Promise<FetchedPage | undefined> {
    const totalMsMax = deadlineAtMs - performance.now()
    if (totalMsMax < 100 || requests >= limits.requestsMax) return undefined
    if (requests >= reservation.count) {
      isCut = true
      return undefined
    }
    requests += 1
    try {
      const page = await fetcher.fetchPage(url, { ...options, totalMsMax, reservation })
      hasAnswered = true
      return page
    } catch (failure) {
      const isRefused = failure instanceof FetchFailure && failure.reason === 'target_busy'
      if (!isRefused || !hasAnswered) throw failure
      isCut = true
      return undefined
    }
  }

  async function fetchWithinLimits(url: string, bytesMax: number, options: FetchPageOptions) {
    const bytesLeft = limits.bytesMax - bytes
    if (bytesLeft < 1_024) return undefined
    const page = await fetchInTime(url, { ...options, bodyBytesMax: Math.min(bytesLeft, bytesMax) })
    bytes += page?.bytes.decoded ?? 0
    return page
  }

  return {
    async text(url: string, bytesMax: number): Promise<TextFile | undefined> {
      const chunks: Uint8Array[] = []
      const page = await fetchWithinLimits(url, bytesMax, {
        accept: 'text/plain,text/markdown,*/*;q=0.5',
        anyStatus: true,
        sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
      })
      return page && { page, text: Buffer.concat(chunks).toString('utf8') }
    },

    /** Calls `begin` with the URL after redirects before the reader gets anything. */
    async sitemap(url: string, reader: SitemapReader, begin: (url: string) => void) {
      const bytesLeft = sitemapBytesMax - sitemapBytes
      if (bytesLeft <= 0) return undefined
      const bodies: ReturnType<typeof createSitemapBody>[] = []
      const page = await fetchInTime(url, {
        accept: 'application/xml,text/xml,text/plain,*/*;q=0.5',
        anyStatus: true,
        bodyBytesMax: bytesLeft,
        sink(head) {
          if (head.status !== 200) return undefined
          begin(head.url.href)
          const body = createSitemapBody(head, reader, bytesLeft)
          bodies.push(body)
          return body
        },
      })
      const isRead = (await bodies[0]?.finish()) ?? true
      sitemapBytes += bodies[0]?.bytes() ?? 0
      // Whole: read as far as its reader wanted.
      return page && { status: page.status, isWhole: isRead && !page.truncated }
    },

    async page(url: string) {
      if (pages >= limits.pagesMax) return undefined
      pages += 1
      const bodies: PageParser[] = []
      const page = await fetchWithinLimits(url, pageBytesMax, {
        anyStatus: true,
        sink(head) {
          if (!isHtml(head.headers['content-type'] ?? '')) return undefined
          const body = createPageParser({ url: head.url.href, headers: head.headers, readsOutline: true })
          bodies.push(body)
          return body
        },
      })
      if (page === undefined) return undefined
      // Undefined if the page is no HTML.
      const read = await bodies[0]?.finish()
      const wall = findWall(new URL(url), page, read)
      if (wall === undefined) checkStatus(page)
      return { page, read, wall }
    },
    requests: () => requests,
    isOverdue: () => performance.now() >= deadlineAtMs,
    /** True if the site was asked for less than the limits allow, because it may not be asked for more in this minute. */
    isCut: () => isCut,
  }
}

/** For `catch`: a failure of the site counts as no result, one for want of a slot is thrown again. */
export function ignoreFailure(failure: unknown): undefined {
  if (failure instanceof FetchFailure && !isCapacityFailure(failure)) return undefined
  throw failure
}

/** Unpacked, over all sitemaps of a site: as much as the protocol allows one to have. */
const sitemapBytesMax = 52_428_800
const pageBytesMax = 2_097_152

function createSitemapBody({ url, headers }: PageHead, reader: SitemapReader, bytesMax: number) {
  const tld = url.hostname.split('.').at(-1) ?? ''
  const decoder = createCharsetDecoder({ contentType: headers['content-type'] ?? '', tld })
  const budget = createCpuBudget()
  let begun = new Uint8Array()
  let isKnown = false
  let gunzip: Gunzip | undefined
  let bytes = 0
  let isCut = false

  function begin(): Promise<boolean> {
    isKnown = true
    if (begun[0] === 0x1f && begun[1] === 0x8b) gunzip = createGunzip(read)
    return pass(begun)
  }

  function pass(chunk: Uint8Array): Promise<boolean> {
    return gunzip?.write(chunk) ?? read(chunk)
  }

  async function read(chunk: Uint8Array): Promise<boolean> {
    const allowed = chunk.subarray(0, bytesMax - bytes)
    bytes += allowed.length
    if (allowed.length < chunk.length) isCut = true
    for (let at = 0; at < allowed.length && !reader.isDone(); at += sliceBytes)
      await budget.run(reader.read(decoder.push(allowed.subarray(at, at + sliceBytes))))
    return !isCut && !reader.isDone()
  }

  return {
    write(chunk: Uint8Array): Promise<boolean> | boolean {
      if (isKnown) return pass(chunk)
      begun = Buffer.concat([begun, chunk])
      return begun.length < 2 || begin()
    },
    isUseful: () => bytes > 0,
    bytes: () => bytes,
    /** Resolves once everything that has arrived is read: with false if the file was not read to its end. */
    async finish(): Promise<boolean> {
      if (!isKnown) await begin()
      if (gunzip !== undefined && !(await gunzip.end())) isCut = true
      await budget.run(reader.read(decoder.end()))
      await budget.run(reader.end())
      return !isCut && !reader.isCut()
    },
  }
}

const sliceBytes = 16_384
