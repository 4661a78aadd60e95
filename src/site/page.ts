import { Problem } from '../errors.ts'
import { basePathOf, htmlBelow } from '../http/base-path.ts'
import type { PublicDocuments } from '../http/public-documents.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { htmlHeaders, htmlResponse } from '../http/responses.ts'
import { textBody } from '../lib/body.ts'
import { document, type Markup } from '../lib/jsx/markup.ts'
import { operation } from './openapi/operation.ts'

export interface Page {
  /** Names a page that is the same for everybody, but for the origin; undefined for any other. */
  readonly name?: string
  readonly write: (origin: string) => Markup | Promise<Markup>
  /** Writes the page around a problem that `write` threw. Such a page is not kept. */
  readonly writeProblem?: (problem: Problem) => Markup
}

const headers = { 'cache-control': 'no-cache', 'referrer-policy': 'strict-origin-when-cross-origin' }

/** Returns the handler of a public page and the options of its route. A page that is not kept is not written for HEAD. */
export function page(
  documents: PublicDocuments,
  operationId: string,
  summary: string,
  read: (context: RequestContext) => Page | Response | Promise<Page | Response>,
) {
  async function answer(context: RequestContext, { name, write }: Page): Promise<Response> {
    const { method, baseUrl } = context
    if (name === undefined) return htmlResponse(method === 'HEAD' ? null : await write(baseUrl), { headers })
    return await documents.answer(context, {
      key: name,
      headers: { ...htmlHeaders, ...headers },
      write: async (origin) => textBody(htmlBelow(basePathOf(origin), document(await write(origin)))),
    })
  }

  async function handler({ request }: { readonly request: Request }): Promise<Response> {
    const context = contextOf(request)
    const found = await read(context)
    if (found instanceof Response) return found
    try {
      return await answer(context, found)
    } catch (problem) {
      if (!(problem instanceof Problem) || found.writeProblem === undefined) throw problem
      return htmlResponse(found.writeProblem(problem), { headers })
    }
  }
  return [handler, operation('pages', operationId, summary)] as const
}
