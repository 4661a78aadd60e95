import { createHash } from 'node:crypto'
import type { Bundle, BundleFile, BundleRequest } from './bundle.ts'
import { type LlmsPage, writeLlms } from './llms-writer.ts'
import { writeRobots } from './robots-writer.ts'
import { type SitemapEntry, writeSitemap } from './sitemap-writer.ts'

/** What the three files are made of. */
export interface BundleParts extends Pick<Bundle, 'origin' | 'mode' | 'counts' | 'warnings' | 'ttl'> {
  readonly request: BundleRequest
  readonly nowMs: number
  readonly entries: readonly SitemapEntry[]
  readonly robots: string | null
  readonly llms: string | null
  readonly name: string | null
  readonly summary: string | null
  readonly pages: readonly LlmsPage[]
}

/** Writes the files and describes them. */
export const assembleBundle = (parts: BundleParts): Bundle => {
  const { request, origin } = parts
  const robots = writeRobots({
    sitemapUrl: `${origin}/sitemap.xml`,
    ai: request.ai,
    ...(parts.robots !== null && { existing: parts.robots }),
  })
  const sitemap = writeSitemap(parts.entries)
  const { host } = new URL(origin)
  const llms = parts.llms ?? writeLlms({ host, name: parts.name, summary: parts.summary, pages: parts.pages })
  const robotsSource =
    parts.robots === null ? 'generated' : parts.robots === robots ? 'existing' : 'existing+generated'
  return {
    domain: request.host,
    origin,
    mode: parts.mode,
    robots,
    sitemap,
    llms,
    files: [
      fileOf('robots.txt', 'text/plain; charset=utf-8', robots, robotsSource),
      fileOf('sitemap.xml', 'application/xml; charset=utf-8', sitemap, 'generated'),
      fileOf('llms.txt', 'text/plain; charset=utf-8', llms, parts.llms === null ? 'generated' : 'existing'),
    ],
    counts: parts.counts,
    warnings: parts.warnings,
    generated_at: new Date(parts.nowMs).toISOString(),
    ttl: parts.ttl,
  }
}

const fileOf = (
  name: BundleFile['name'],
  contentType: string,
  text: string,
  source: BundleFile['source'],
): BundleFile => ({
  name,
  content_type: contentType,
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
  source,
})
