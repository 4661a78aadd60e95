import { htmlResponse } from '../http/html-response.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Markup } from '../lib/jsx/markup.ts'

/** A public page. For HEAD it is not rendered. */
export async function pageResponse(
  { method }: Pick<RequestContext, 'method'>,
  render: () => Markup | Promise<Markup>,
): Promise<Response> {
  return htmlResponse(method === 'HEAD' ? null : await render(), {
    headers: { 'cache-control': 'no-cache', 'referrer-policy': 'strict-origin-when-cross-origin' },
  })
}
