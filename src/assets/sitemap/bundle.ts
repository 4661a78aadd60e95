import type { AiPolicy } from './ai-crawlers.ts'

/** What `GET /api/sitemap` answers. */
export interface Bundle {
  readonly domain: string
  readonly origin: string
  readonly mode: 'template' | 'crawl' | 'sitemap+crawl'
  readonly robots: string
  readonly sitemap: string
  readonly llms: string
  readonly files: readonly BundleFile[]
  readonly counts: { readonly urls: number; readonly pages: number; readonly requests: number }
  readonly warnings: readonly string[]
  readonly generated_at: string
  /** Seconds for which the same answer is given again. */
  readonly ttl: number
}

export interface BundleFile {
  readonly name: 'robots.txt' | 'sitemap.xml' | 'llms.txt'
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string
  readonly source: 'generated' | 'existing' | 'existing+generated'
}

export interface BundleRequest {
  /** From `normalizeDomain`. */
  readonly host: string
  readonly ai: AiPolicy
  /** False gives the template without asking the site. */
  readonly crawl: boolean
}
