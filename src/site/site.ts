import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { clientPackage } from '../client/client-package.ts'
import { takesPayments } from '../config.ts'
import type { DrawingService } from '../http/drawing-service.ts'
import type { PublicDocument, PublicDocuments } from '../http/public-documents.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { textBody } from '../lib/body.ts'
import { projectFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import { siteAssets } from './assets.ts'
import { fontAssets } from './fonts/fonts.tsx'
import { callerGuides, dividedGuides, type Guide, guidePath, guides, markdownPath } from './guides/guides.ts'
import { icons } from './icons.ts'
import type { MachineDocuments } from './machine-documents.ts'
import { operation } from './openapi/operation.ts'
import { type Page, page } from './page.ts'
import type { SiteDeps, SitePages } from './site-pages.ts'

type PageName = 'home' | 'examples' | 'reference' | 'errors' | 'status'

interface RouteDeps {
  readonly documents: PublicDocuments
  readonly loadDrawings: () => Promise<DrawingService>
}

/**
 * The public pages, their assets, and the files that programs read about the service. What they are made of is loaded with
 * the first request for one: it is a tenth of the program.
 */
export function site({ documents, loadDrawings, ...deps }: SiteDeps & RouteDeps) {
  let pages: Promise<SitePages> | undefined

  function load(): Promise<SitePages> {
    pages ??= Promise.all([import('./site-pages.ts'), loadDrawings()]).then(
      ([{ createSitePages }, drawings]) => createSitePages(deps, drawings),
    )
    return pages
  }

  function read(name: PageName) {
    return async (context: RequestContext): Promise<Page | Response> => (await load())[name](context)
  }

  return new Elysia({ name: 'site' })
    .use(siteAssets.routes())
    .use(fontAssets.routes())
    .use(icons(documents))
    .get('/playground/:id', async ({ request, params }) =>
      (await load()).playground(params.id, contextOf(request)),
    )
    .get('/pictures/:file', async ({ request, params }) =>
      (await load()).picture(params.file, contextOf(request)),
    )
    .use(machineFiles(load, documents))
    .use(clientFiles(documents))
    .get('/', ...page(documents, 'home', 'What this is, and the playground.', read('home')))
    .get(
      '/examples',
      ...page(documents, 'examples', 'Cards in every size, theme and scheme.', read('examples')),
    )
    .get('/docs', ...page(documents, 'docs', 'The reference.', read('reference')))
    .get(
      '/docs/errors',
      ...page(documents, 'errors', 'Every error with its cause and remedy.', read('errors')),
    )
    .use(guideRoutes(load, documents, takesPayments(deps.config)))
    .get('/status', ...page(documents, 'status', 'What the service does at this moment.', read('status')))
}

/** `/docs/guides`, each guide below `/docs` as a page and as Markdown, and what their search looks through. */
function guideRoutes(load: () => Promise<SitePages>, documents: PublicDocuments, isPaid: boolean) {
  const router = new Elysia({ name: 'guides' })
    .get(
      '/docs/search.json',
      ({ request }) => searchResponse(load, documents, request),
      operation('machines', 'docsSearch', 'The sections of the documentation, for its search.', {
        schema: 'Discovery',
      }),
    )
    .get('/docs/guides', ...page(documents, 'guides', 'All guides.', async () => (await load()).guideList()))
  function add(guide: Guide, isListed: boolean) {
    const [handler, options] = page(documents, operationId(guide), guide.summary, async () =>
      (await load()).guide(guide),
    )
    router.get(guidePath(guide), handler, isListed ? options : {})
    const document = {
      key: `markdown ${guide.slug}`,
      headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=3600' },
      write: async (origin: string) => textBody(await (await load()).guideMarkdown(guide, origin)),
    }
    router.get(markdownPath(guide), ({ request }) => documents.answer(contextOf(request), document))
  }
  const listed = callerGuides(isPaid)
  for (const guide of guides) add(guide, listed.includes(guide))
  for (const slug of Object.keys(dividedGuides)) {
    const [handler] = page(documents, operationId({ slug }), '', async () =>
      (await load()).dividedGuide(slug),
    )
    router.get(`/docs/${slug}`, handler)
  }
  return router
}

function searchResponse(load: () => Promise<SitePages>, documents: PublicDocuments, request: Request) {
  return documents.answer(contextOf(request), {
    key: 'search',
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
    write: async (origin) => textBody(await (await load()).search(origin)),
  })
}

/** `guideCardRecipes` for `card-recipes`. */
function operationId({ slug }: Pick<Guide, 'slug'>): string {
  return `guide-${slug}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
function machineFiles(load: () => Promise<MachineDocuments>, documents: PublicDocuments) {
  function file(mediaType: string, name: keyof MachineDocuments, summary: string) {
    const headers = { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'public, max-age=3600' }
    function handler({ request }: { readonly request: Request }): Promise<Response> {
      return documents.answer(contextOf(request), {
        key: name,
        headers,
        write: async (origin) => textBody(await (await load())[name](origin)),
      })
    }
    const schema = mediaType === 'application/json' ? { schema: 'Discovery' as const } : {}
    return [handler, operation('machines', name, summary, { mediaType, ...schema })] as const
  }

  return new Elysia({ name: 'machine-files' })
    .get('/openapi.json', ...file('application/json', 'openapi', 'This interface as OpenAPI 3.1.'))
    .get(
      '/theme.schema.json',
      ...file('application/json', 'themeSchema', 'The format of theme files as JSON Schema.'),
    )
    .get('/llms.txt', ...file('text/plain', 'llms', 'This site for language models.'))
    .get('/llms-full.txt', ...file('text/plain', 'llmsFull', 'The whole documentation as one text.'))
    .get('/robots.txt', ...file('text/plain', 'robots', 'What crawlers may visit.'))
    .get('/sitemap.xml', ...file('application/xml', 'siteMap', 'The pages of this site.'))
}

/** `/client.js`, its types, and the package that npm installs, all at the version of this server. */
function clientFiles(documents: PublicDocuments) {
  const script = { 'content-type': 'text/javascript; charset=utf-8', 'x-typescript-types': './client.d.ts' }
  const types = { 'content-type': 'application/typescript; charset=utf-8' }
  const archive = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="mintmark-${version}.tgz"`,
  }
  /** Returns the handler of a file and the options of its route. A browser or npm asks each time whether it has changed. */
  function file(
    operationId: string,
    summary: string,
    write: PublicDocument['write'],
    headers: PublicDocument['headers'],
  ) {
    const complete = { ...headers, 'cache-control': 'public, no-cache' }
    function handler({ request }: { readonly request: Request }): Promise<Response> {
      return documents.answer(contextOf(request), { key: operationId, headers: complete, write })
    }
    const [mediaType = ''] = headers['content-type'].split(';')
    return [handler, operation('machines', operationId, summary, { mediaType })] as const
  }

  return new Elysia({ name: 'client-files' })
    .get('/client.js', ...file('client', 'The client as an ES module.', () => read('client.js'), script))
    .get('/client.d.ts', ...file('clientTypes', 'The types of the client.', () => read('client.d.ts'), types))
    .get('/client.tgz', ...file('clientPackage', 'The client for npm install.', clientPackage, archive))
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(projectFile(`client/${name}`)))
}
