import type { AiPolicy } from './ai-crawlers.ts'

/** The answer of `GET /api/sitemap`. */
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
  /** Seconds for which the answer is cached. */
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
  /** False returns the template without a request to the site. */
  readonly crawl: boolean
}
