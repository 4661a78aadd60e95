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
  /** Null when it is no HTML. */
  readonly parsed: ParsedPage | null
}

/** Fetches from one site within a budget. Null stands for a budget that is spent; failures are FetchFailure. */
export interface SiteClient {
  text(url: string, bytesMax: number): Promise<TextFile | null>
  page(url: string): Promise<SitePage | null>
}

export function createSiteClient(fetcher: WebFetcher, spending: CrawlBudget): SiteClient {
  return {
    async text(url, bytesMax) {
      const allowance = spending.reserve('file')
      if (allowance === null) return null
      const chunks: Uint8Array[] = []
      const page = await fetcher.fetchPage(url, {
        accept: 'text/plain,application/xml,text/xml,*/*;q=0.5',
        anyStatus: true,
        bodyBytesMax: Math.min(bytesMax, allowance.bytesMax),
        totalMsMax: allowance.totalMs,
        sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
      })
      spending.addBytes(page.bytes.decoded)
      return { page, text: await textOf(Buffer.concat(chunks), bytesMax) }
    },

    async page(url) {
      const allowance = spending.reserve('page')
      if (allowance === null) return null
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
      spending.addBytes(page.bytes.decoded)
      return { page, parsed: (await parsers[0]?.finish()) ?? null }
    },
  }
}

async function textOf(body: Buffer, bytesMax: number): Promise<string> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return (isGzip ? await gunzip(body, bytesMax) : body).toString('utf8')
}
