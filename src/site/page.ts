import { htmlResponse } from '../http/html-response.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import type { Markup } from '../lib/jsx/markup.ts'

const headers = { 'cache-control': 'no-cache', 'referrer-policy': 'strict-origin-when-cross-origin' }

/** Returns the route handler of a public page. For HEAD it is not rendered. */
export function page(render: (context: RequestContext) => Markup | Promise<Markup>) {
  return async ({ request }: { readonly request: Request }): Promise<Response> => {
    const context = contextOf(request)
    return htmlResponse(context.method === 'HEAD' ? null : await render(context), { headers })
  }
}
