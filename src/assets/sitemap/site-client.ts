import { FetchFailure } from '../../web/fetch-failure.ts'
import type { FetchedPage, FetchPageOptions } from '../../web/fetched-page.ts'
import { gunzip } from '../../web/gunzip.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isHtml } from '../preview/content-type.ts'
import { createPageParser, type PageParser, type ParsedPage } from '../preview/page-parser.ts'

/** Limits of the discovery of one site. `deadlineAtMs` is on the clock of `performance.now()`. */
export interface CrawlLimits {
  readonly deadlineAtMs: number
  readonly pagesMax: number
  readonly bytesMax: number
  readonly requestsMax: number
}

export interface TextFile {
  readonly page: FetchedPage
  readonly text: string
}

export interface SitePage {
  readonly page: FetchedPage
  /** Undefined if the page is no HTML. */
  readonly parsed: ParsedPage | undefined
}

/** Fetches from one site. Resolves with undefined if the limits are used up; rejects with FetchFailure. */
export interface SiteClient {
  text(url: string, bytesMax: number): Promise<TextFile | undefined>
  page(url: string): Promise<SitePage | undefined>
  /** How many requests were made. */
  requests(): number
  isOverdue(): boolean
}

export function createSiteClient(fetcher: WebFetcher, limits: CrawlLimits): SiteClient {
  let requests = 0
  let pages = 0
  let bytes = 0

  async function fetchWithinLimits(url: string, options: FetchPageOptions): Promise<FetchedPage | undefined> {
    const totalMsMax = limits.deadlineAtMs - performance.now()
    const bytesLeft = limits.bytesMax - bytes
    if (totalMsMax < 100 || bytesLeft < 1_024 || requests >= limits.requestsMax) return undefined
    requests += 1
    const bodyBytesMax = Math.min(bytesLeft, options.bodyBytesMax ?? bytesLeft)
    const page = await fetcher.fetchPage(url, { ...options, bodyBytesMax, totalMsMax })
    bytes += page.bytes.decoded
    return page
  }

  return {
    async text(url, bytesMax) {
      const chunks: Uint8Array[] = []
      const page = await fetchWithinLimits(url, {
        accept: 'text/plain,application/xml,text/xml,*/*;q=0.5',
        anyStatus: true,
        bodyBytesMax: bytesMax,
        sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
      })
      return page && { page, text: await textOf(Buffer.concat(chunks), bytesMax) }
    },

    async page(url) {
      if (pages >= limits.pagesMax) return undefined
      pages += 1
      const parsers: PageParser[] = []
      const page = await fetchWithinLimits(url, {
        sink: ({ url: { href }, headers }) => {
          const contentType = headers['content-type'] ?? ''
          if (!isHtml(contentType)) return undefined
          const parser = createPageParser({ url: href, headers, contentType, collectsAnchors: true })
          parsers.push(parser)
          return parser
        },
      })
      return page && { page, parsed: await parsers[0]?.finish() }
    },
    requests: () => requests,
    isOverdue: () => performance.now() >= limits.deadlineAtMs,
  }
}

/** For `catch`: a failure of the site counts as no result, one for want of a slot is thrown again. */
export function ignoreFailure(failure: unknown): undefined {
  if (failure instanceof FetchFailure && !isCapacityFailure(failure)) return undefined
  throw failure
}

async function textOf(body: Buffer, bytesMax: number): Promise<string> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return (isGzip ? await gunzip(body, bytesMax) : body).toString('utf8')
}
