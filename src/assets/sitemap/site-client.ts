import type { FetchedPage } from '../../web/fetched-page.ts'
import { gunzip } from '../../web/gunzip.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import { isHtml } from '../preview/content-type.ts'
import { createPageParser, type PageParser, type ParsedPage } from '../preview/page-parser.ts'
import type { CrawlBudget } from './crawl-budget.ts'

export interface TextFile {
  readonly page: FetchedPage
  readonly text: string
}

export interface SitePage {
  readonly page: FetchedPage
  /** Undefined if the page is no HTML. */
  readonly parsed: ParsedPage | undefined
}

/** Fetches from one site. Resolves with undefined if the budget is used up; rejects with FetchFailure. */
export interface SiteClient {
  text(url: string, bytesMax: number): Promise<TextFile | undefined>
  page(url: string): Promise<SitePage | undefined>
}

export function createSiteClient(fetcher: WebFetcher, budget: CrawlBudget): SiteClient {
  return {
    async text(url, bytesMax) {
      const allowance = budget.reserve('file')
      if (allowance === undefined) return undefined
      const chunks: Uint8Array[] = []
      const page = await fetcher.fetchPage(url, {
        accept: 'text/plain,application/xml,text/xml,*/*;q=0.5',
        anyStatus: true,
        bodyBytesMax: Math.min(bytesMax, allowance.bytesMax),
        totalMsMax: allowance.totalMs,
        sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
      })
      budget.addBytes(page.bytes.decoded)
      return { page, text: await textOf(Buffer.concat(chunks), bytesMax) }
    },

    async page(url) {
      const allowance = budget.reserve('page')
      if (allowance === undefined) return undefined
      const parsers: PageParser[] = []
      const page = await fetcher.fetchPage(url, {
        bodyBytesMax: allowance.bytesMax,
        totalMsMax: allowance.totalMs,
        sink: ({ url: { href }, headers }) => {
          const contentType = headers['content-type'] ?? ''
          if (!isHtml(contentType)) return undefined
          const parser = createPageParser({ url: href, headers, contentType, whole: true })
          parsers.push(parser)
          return parser
        },
      })
      budget.addBytes(page.bytes.decoded)
      return { page, parsed: await parsers[0]?.finish() }
    },
  }
}

async function textOf(body: Buffer, bytesMax: number): Promise<string> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return (isGzip ? await gunzip(body, bytesMax) : body).toString('utf8')
}
