import { Elysia } from 'elysia'
import { contextOf } from '../http/request-context.ts'
import type { MachineDocuments } from './machine-documents.ts'
import { operation } from './openapi/operation.ts'

/** `/openapi.json`, and our own llms.txt, robots.txt and sitemap.xml, written by the code of the site bundles. */
export function machineFiles(load: () => Promise<MachineDocuments>) {
  function writer(name: keyof MachineDocuments) {
    return async (origin: string): Promise<string> => (await load())[name](origin)
  }
  return new Elysia({ name: 'machine-files' })
    .get(
      '/openapi.json',
      ...file('application/json', 'openapi', 'This interface as OpenAPI 3.1.', writer('openapi')),
    )
    .get('/llms.txt', ...file('text/plain', 'llms', 'This site for language models.', writer('llms')))
    .get('/robots.txt', ...file('text/plain', 'robots', 'What crawlers may visit.', writer('robots')))
    .get('/sitemap.xml', ...file('application/xml', 'siteMap', 'The pages of this site.', writer('siteMap')))
}

/** Returns the handler of a file for programs and the options of its route. It changes only with a new version. */
function file(
  mediaType: string,
  operationId: string,
  summary: string,
  write: (origin: string) => Promise<string>,
) {
  const headers = { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'public, max-age=3600' }
  async function handler({ request }: { readonly request: Request }): Promise<Response> {
    return new Response(await write(contextOf(request).baseUrl), { headers })
  }
  const schema = mediaType === 'application/json' ? { schema: 'Discovery' as const } : {}
  return [handler, operation('machines', operationId, summary, { mediaType, ...schema })] as const
}
