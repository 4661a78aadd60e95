import type { Asset } from '../assets/asset.ts'
import { writeLlms } from '../assets/sitemap/write-llms.ts'
import { writeRobots } from '../assets/sitemap/write-robots.ts'
import { writeSitemap } from '../assets/sitemap/write-sitemap.ts'
import { version } from '../lib/version.ts'
import { exampleAddress } from './reference/asset-section.tsx'
import { type Operation, operations } from './reference/operations.ts'

/** Our own robots.txt, sitemap.xml and llms.txt, written by the code of the site bundles. */

const pages = operations.filter(({ section }) => section === 'pages')

export function robotsTxt(origin: string): Promise<string> {
  const closed = ['/admin', '/playground/', '/api/key', '/*?kind=']
    .map((path) => `Disallow: ${path}\n`)
    .join('')
  const existing = `User-agent: *\n${closed}`
  return writeRobots({ sitemapUrl: `${origin}/sitemap.xml`, ai: 'allow', existing })
}

export function sitemapXml(origin: string): string {
  return writeSitemap(pages.map(({ path }) => ({ loc: `${origin}${path}` })))
}

export function llmsTxt(assets: readonly Asset[], origin: string): string {
  const calls = assets.map((asset) => ({
    url: exampleAddress(asset, origin),
    title: asset.id,
    description: `${asset.summary}. Parameters: ${Object.keys(asset.query.properties).join(', ')}`,
  }))
  const documents = operations.filter(isForReaders).map(({ id, path, summary }) => ({
    url: `${origin}${path}`,
    title: id,
    description: summary,
  }))
  return writeLlms({
    host: new URL(origin).host,
    name: `Mintmark ${version}`,
    summary:
      'Share cards, badges, avatars, link previews and site files from plain GET requests: free with demo=1, with a signed key, or paid per call by x402.',
    pages: [...documents, ...calls],
  })
}

function isForReaders({ section, id }: Operation): boolean {
  return section === 'pages' || section === 'payments' || id === 'openapi'
}
