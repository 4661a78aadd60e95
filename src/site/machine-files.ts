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

interface Deps {
  readonly assets: readonly Asset[]
  readonly operations: () => readonly Operation[]
  /** Whether documents tell how to pay. */
  readonly isPaid: boolean
}

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
export function machineFiles({ assets, operations, isPaid }: Deps) {
  function document(origin: string) {
    return JSON.stringify(openapi({ assets, operations: operations(), isPaid }, origin))
  }
  function llms(origin: string) {
    return llmsTxt({ assets, operations, isPaid }, origin)
  }
  function siteMap(origin: string) {
    return writeSitemap(operationsIn('pages', operations()).map(({ path }) => ({ loc: `${origin}${path}` })))
  }
  return new Elysia({ name: 'machine-files' })
    .get('/openapi.json', ...file('application/json', 'openapi', 'This interface as OpenAPI 3.1.', document))
    .get('/llms.txt', ...file('text/plain', 'llms', 'This site for language models.', llms))
    .get('/robots.txt', ...file('text/plain', 'robots', 'What crawlers may visit.', robotsTxt))
    .get('/sitemap.xml', ...file('application/xml', 'siteMap', 'The pages of this site.', siteMap))
}

/** Returns the handler of a file for programs and the options of its route. It changes only with a new version. */
function file(
  mediaType: string,
  operationId: string,
  summary: string,
  write: (origin: string) => string | Promise<string>,
) {
  const headers = { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'public, max-age=3600' }
  async function handler({ request }: { readonly request: Request }): Promise<Response> {
    return new Response(await write(contextOf(request).baseUrl), { headers })
  }
  const schema = mediaType === 'application/json' ? { schema: 'Discovery' as const } : {}
  return [handler, operation('machines', operationId, summary, { mediaType, ...schema })] as const
}

function robotsTxt(origin: string): Promise<string> {
  const closed = ['/admin', '/playground/', '/api/key', '/*?kind=']
    .map((path) => `Disallow: ${path}\n`)
    .join('')
  const existing = `User-agent: *\n${closed}`
  return writeRobots({ sitemapUrl: `${origin}/sitemap.xml`, ai: 'allow', existing })
}

function llmsTxt({ assets, operations, isPaid }: Deps, origin: string): string {
  const calls = assets.map((asset) => ({
    url: exampleAddress(asset, origin),
    title: asset.id,
    description: `${asset.summary}. Parameters: ${Object.keys(asset.query.properties).join(', ')}`,
  }))
  const documents = operations()
    .filter(isForReaders)
    .map(({ operationId, path, summary }) => ({
      url: `${origin}${path}`,
      title: operationId,
      description: summary,
    }))
  return writeLlms({
    host: new URL(origin).host,
    name: `Mintmark ${version}`,
    summary: `Share cards, badges, avatars, link previews and site files from plain GET requests: free with demo=1${isPaid ? ', with a signed key, or paid per call by x402' : ', or with a signed key'}.`,
    pages: [...documents, ...calls],
  })
}

function isForReaders({ tags: [section], operationId }: Operation): boolean {
  return section === 'pages' || section === 'payments' || operationId === 'openapi'
}
