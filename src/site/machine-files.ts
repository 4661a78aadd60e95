import { Elysia } from 'elysia'
import type { PublicDocuments } from '../http/public-documents.ts'
import { contextOf } from '../http/request-context.ts'
import { textBody } from '../lib/body.ts'
import type { MachineDocuments } from './machine-documents.ts'
import { operation } from './openapi/operation.ts'

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
export function machineFiles(load: () => Promise<MachineDocuments>, documents: PublicDocuments) {
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
    .get('/llms.txt', ...file('text/plain', 'llms', 'This site for language models.'))
    .get('/llms-full.txt', ...file('text/plain', 'llmsFull', 'The whole documentation as one text.'))
    .get('/robots.txt', ...file('text/plain', 'robots', 'What crawlers may visit.'))
    .get('/sitemap.xml', ...file('application/xml', 'siteMap', 'The pages of this site.'))
}
