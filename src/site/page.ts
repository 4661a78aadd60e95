import { htmlResponse } from '../http/html-response.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { operation } from './openapi/operation.ts'

const headers = { 'cache-control': 'no-cache', 'referrer-policy': 'strict-origin-when-cross-origin' }

/** Returns the handler of a public page and the options of its route. For HEAD the page is not rendered. */
export function page(
  operationId: string,
  summary: string,
  render: (context: RequestContext) => Markup | Promise<Markup>,
) {
  async function handler({ request }: { readonly request: Request }): Promise<Response> {
    const context = contextOf(request)
    return htmlResponse(context.method === 'HEAD' ? null : await render(context), { headers })
  }
  return [handler, operation('pages', operationId, summary)] as const
}
