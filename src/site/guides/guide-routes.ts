import { Elysia } from 'elysia'
import type { PublicDocuments } from '../../http/public-documents.ts'
import { contextOf } from '../../http/request-context.ts'
import { textBody } from '../../lib/body.ts'
import { page } from '../page.ts'
import type { SitePages } from '../site-pages.ts'
import { guidePath, guides } from './guides.ts'

/** `/docs/guides`, each guide below `/docs`, and what their search looks through. */
export function guideRoutes(load: () => Promise<SitePages>, documents: PublicDocuments) {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }
  const router = new Elysia({ name: 'guides' })
    .get('/docs/search.json', ({ request }) => {
      const context = contextOf(request)
      const { baseUrl } = context
      const write = async () => textBody(await (await load()).search(baseUrl))
      return documents.answer(context, { key: `search ${baseUrl}`, headers, write })
    })
    .get(
      '/docs/guides',
      ...page(documents, 'guides', 'Guides for sites and for operators.', async (context) =>
        (await load()).guideList(context),
      ),
    )
  for (const guide of guides)
    router.get(
      guidePath(guide),
      ...page(documents, operationId(guide.slug), guide.summary, async (context) =>
        (await load()).guide(guide, context),
      ),
    )
  return router
}

/** `guideCardRecipes` for `card-recipes`. */
function operationId(slug: string): string {
  return `guide-${slug}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
