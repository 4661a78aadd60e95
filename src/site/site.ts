import { Elysia } from 'elysia'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { siteAssets } from './assets.ts'
import { clientFiles } from './client-files.ts'
import { machineFiles } from './machine-files.ts'
import { page } from './page.ts'
import type { SiteDeps, SitePages } from './site-pages.ts'

/** Pages that are made of markup. */
type PageName = 'home' | 'examples' | 'reference' | 'errors' | 'status'

/**
 * The public pages, their assets, and the files that programs read about the service. What they are made of is loaded with
 * the first request for one: it is a tenth of the program.
 */
export function site(deps: SiteDeps) {
  let pages: Promise<SitePages> | undefined

  function load(): Promise<SitePages> {
    pages ??= import('./site-pages.ts').then(({ createSitePages }) => createSitePages(deps))
    return pages
  }

  function markup(name: PageName) {
    return async (context: RequestContext): Promise<Markup> => (await load())[name](context)
  }

  return new Elysia({ name: 'site' })
    .use(siteAssets.routes())
    .get('/playground/:id', async ({ request, params }) =>
      (await load()).playground(params.id, contextOf(request)),
    )
    .get('/pictures/:file', async ({ request, params }) =>
      (await load()).picture(params.file, contextOf(request)),
    )
    .use(machineFiles(load))
    .use(clientFiles())
    .get('/', ...page('home', 'What this is, and the playground.', markup('home')))
    .get('/examples', ...page('examples', 'Cards in every size, theme and scheme.', markup('examples')))
    .get('/docs', ...page('docs', 'The reference.', markup('reference')))
    .get('/docs/errors', ...page('errors', 'Every error with its cause and remedy.', markup('errors')))
    .get('/status', ...page('status', 'What the service does at this moment.', markup('status')))
}
