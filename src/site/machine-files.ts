import { Elysia } from 'elysia'
import type { Asset } from '../assets/asset.ts'
import { writeLlms } from '../assets/sitemap/write-llms.ts'
import { writeRobots } from '../assets/sitemap/write-robots.ts'
import { writeSitemap } from '../assets/sitemap/write-sitemap.ts'
import { contextOf } from '../http/request-context.ts'
import { version } from '../lib/version.ts'
import { openapi } from './openapi/openapi.ts'
import { type Operation, operation, operationsIn } from './openapi/operation.ts'
import { exampleAddress } from './reference/asset-section.tsx'

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
export function machineFiles(assets: readonly Asset[], operations: () => readonly Operation[]) {
  return new Elysia({ name: 'machine-files' })
    .get(
      '/openapi.json',
      file('application/json', (origin) => JSON.stringify(openapi(assets, operations(), origin))),
      operation('machines', 'openapi', 'This interface as OpenAPI 3.1.', { schema: 'Discovery' }),
    )
    .get(
      '/llms.txt',
      file('text/plain', (origin) => llmsTxt(assets, operations(), origin)),
      operation('machines', 'llms', 'This site for language models.', { mediaType: 'text/plain' }),
    )
    .get(
      '/robots.txt',
      file('text/plain', robotsTxt),
      operation('machines', 'robots', 'What crawlers may visit.', { mediaType: 'text/plain' }),
    )
    .get(
      '/sitemap.xml',
      file('application/xml', (origin) => sitemapXml(operations(), origin)),
      operation('machines', 'siteMap', 'The pages of this site.', { mediaType: 'application/xml' }),
    )
}

/** The route handler of a file for programs. It changes only with a new version. */
function file(type: string, write: (origin: string) => string | Promise<string>) {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' }
  return async ({ request }: { readonly request: Request }): Promise<Response> =>
    new Response(await write(contextOf(request).baseUrl), { headers })
}

function robotsTxt(origin: string): Promise<string> {
  const closed = ['/admin', '/playground/', '/api/key', '/*?kind=']
    .map((path) => `Disallow: ${path}\n`)
    .join('')
  const existing = `User-agent: *\n${closed}`
  return writeRobots({ sitemapUrl: `${origin}/sitemap.xml`, ai: 'allow', existing })
}

function sitemapXml(operations: readonly Operation[], origin: string): string {
  return writeSitemap(operationsIn('pages', operations).map(({ path }) => ({ loc: `${origin}${path}` })))
}

function llmsTxt(assets: readonly Asset[], operations: readonly Operation[], origin: string): string {
  const calls = assets.map((asset) => ({
    url: exampleAddress(asset, origin),
    title: asset.id,
    description: `${asset.summary}. Parameters: ${Object.keys(asset.query.properties).join(', ')}`,
  }))
  const documents = operations.filter(isForReaders).map(({ operationId, path, summary }) => ({
    url: `${origin}${path}`,
    title: operationId,
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

function isForReaders({ tags: [section], operationId }: Operation): boolean {
  return section === 'pages' || section === 'payments' || operationId === 'openapi'
}
