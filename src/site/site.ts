import { Elysia } from 'elysia'
import type { DrawingService } from '../http/drawing-service.ts'
import type { PublicDocuments } from '../http/public-documents.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { siteAssets } from './assets.ts'
import { clientFiles } from './client-files.ts'
import { fontAssets } from './fonts/fonts.ts'
import { guideRoutes } from './guides/guide-routes.ts'
import { icons } from './icons.ts'
import { machineFiles } from './machine-files.ts'
import { type Page, page } from './page.ts'
import type { SiteDeps, SitePages } from './site-pages.ts'

/** Pages that are made of markup. */
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
    .use(guideRoutes(load, documents))
    .get('/status', ...page(documents, 'status', 'What the service does at this moment.', read('status')))
}
