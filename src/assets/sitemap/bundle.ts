import { type Static, Type } from '@sinclair/typebox'
import { count, counts, instant, string, strings, webAddress } from '../../lib/answer-schemas.ts'
import type { AiPolicy } from './robots.ts'

export const fileTypes = {
  'robots.txt': 'text/plain; charset=utf-8',
  'sitemap.xml': 'application/xml; charset=utf-8',
  'llms.txt': 'text/plain; charset=utf-8',
} as const

const bundleFile = Type.Object({
  name: Type.Unsafe<keyof typeof fileTypes>(string),
  content_type: string,
  bytes: count,
  sha256: string,
  source: Type.Unsafe<'generated' | 'existing' | 'existing+generated'>(string),
})

/** The answer of `GET /api/sitemap`. `ttl` is for how many seconds it is cached. */
export const bundleSchema = Type.Object({
  domain: string,
  origin: webAddress,
  mode: Type.Unsafe<'template' | 'crawl' | 'sitemap+crawl'>(string),
  robots: string,
  sitemap: string,
  llms: string,
  files: Type.Array(bundleFile),
  counts: counts('urls', 'pages', 'requests'),
  warnings: strings,
  generated_at: instant,
  ttl: count,
})

export type Bundle = Static<typeof bundleSchema>
export type BundleFile = Static<typeof bundleFile>

export interface BundleRequest {
  readonly host: string
  readonly ai: AiPolicy
  readonly signals?: string | undefined
  /** False returns the template without a request to the site. */
  readonly crawl: boolean
}
