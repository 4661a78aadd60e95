import { createHash } from 'node:crypto'
import { createCpuBudget } from '../../lib/cooperative-scheduler.ts'
import { type Bundle, type BundleFile, type BundleRequest, fileTypes } from './bundle.ts'
import type { LlmsPage } from './llms-page.ts'
import { llmsSteps } from './write-llms.ts'
import { installWarning, writeRobots } from './write-robots.ts'
import { type SitemapEntry, sitemapChunks } from './write-sitemap.ts'

/** The content of the three files. */
export interface BundleParts extends Pick<Bundle, 'origin' | 'mode' | 'counts' | 'ttl'> {
  readonly request: BundleRequest
  readonly nowMs: number
  readonly entries: readonly SitemapEntry[]
  /** The site's own files. */
  readonly robots?: string | undefined
  readonly llms?: string | undefined
  /** Sitemaps that the site's robots.txt names and that could be read. */
  readonly namedUrls?: readonly string[]
  readonly name?: string | undefined
  readonly summary?: string | undefined
  /** Language of the home page. */
  readonly language?: string | undefined
  /** The entries with what is known of them. */
  readonly pages: readonly LlmsPage[]
  readonly warnings: readonly string[]
}

/** Writes the three files and their checksums, in steps of the cooperative scheduler. */
export async function assembleBundle(parts: BundleParts): Promise<Bundle> {
  const { request, origin, name, summary, language, pages } = parts
  const budget = createCpuBudget()
  const sitemapUrl = `${origin}/sitemap.xml`
  const robotsRequest = {
    sitemapUrl,
    ai: request.ai,
    namedUrls: parts.namedUrls ?? [],
    ...(parts.robots !== undefined && { existing: parts.robots }),
  }
  const robots = await writeRobots(robotsRequest)
  const installation = parts.robots === undefined ? undefined : installWarning(robotsRequest)
  const sitemap = await budget.run(joinChunks(sitemapChunks(parts.entries)))
  const { host } = new URL(origin)
  const written =
    parts.llms === undefined
      ? await budget.run(llmsSteps({ host, name, summary, language, sitemapUrl, pages }))
      : { text: parts.llms, listed: pages.length }
  const llms = written.text
  const leftOut = written.listed < pages.length
  const robotsSource =
    parts.robots === undefined ? 'generated' : parts.robots === robots ? 'existing' : 'existing+generated'
  return {
    domain: request.host,
    origin,
    mode: parts.mode,
    robots,
    sitemap,
    llms,
    files: [
      await budget.run(fileOf('robots.txt', robots, robotsSource)),
      await budget.run(fileOf('sitemap.xml', sitemap, 'generated')),
      await budget.run(fileOf('llms.txt', llms, parts.llms === undefined ? 'generated' : 'existing')),
    ],
    counts: parts.counts,
    warnings: [
      ...parts.warnings,
      ...(installation === undefined ? [] : [installation]),
      ...(leftOut ? [`llms_limit: llms.txt lists ${written.listed} of ${pages.length} pages`] : []),
    ],
    generated_at: new Date(parts.nowMs).toISOString(),
    ttl: parts.ttl,
  }
}

function* joinChunks(chunks: Iterable<string>): Generator<void, string> {
  let text = ''
  for (const chunk of chunks) {
    text += chunk
    yield
  }
  return text
}

function* fileOf(
  name: BundleFile['name'],
  text: string,
  source: BundleFile['source'],
): Generator<void, BundleFile> {
  const content = Buffer.from(text)
  const hash = createHash('sha256')
  for (let at = 0; at < content.length; at += hashBytes) {
    hash.update(content.subarray(at, at + hashBytes))
    yield
  }
  return { name, content_type: fileTypes[name], bytes: content.length, sha256: hash.digest('hex'), source }
}

/** In one step of the cooperative scheduler. */
const hashBytes = 262_144
