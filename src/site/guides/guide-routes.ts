import { Elysia } from 'elysia'
import type { PublicDocuments } from '../../http/public-documents.ts'
import { contextOf } from '../../http/request-context.ts'
import { textBody } from '../../lib/body.ts'
import { operation } from '../openapi/operation.ts'
import { page } from '../page.ts'
import type { SitePages } from '../site-pages.ts'
import { type Guide, guideGroups, guidePath, markdownPath } from './guides.ts'

/** `/docs/guides`, each guide below `/docs` as a page and as Markdown, and what their search looks through. */
export function guideRoutes(load: () => Promise<SitePages>, documents: PublicDocuments) {
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
  for (const { guides, isForOperators = false } of guideGroups)
    for (const guide of guides) add(guide, !isForOperators)
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
function operationId({ slug }: Guide): string {
  return `guide-${slug}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
