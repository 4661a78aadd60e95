import type { RequestContext } from '../http/request-context.ts'
import { document, type Markup } from '../lib/jsx/markup.ts'

/** Pages run our own script and style, show our own pictures, and nothing else. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A public page. HEAD is told its headers, and nothing is made. */
export async function answerPage(
  { method }: Pick<RequestContext, 'method'>,
  make: () => Markup | Promise<Markup>,
): Promise<Response> {
  return new Response(method === 'HEAD' ? null : document(await make()), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy,
      'referrer-policy': 'strict-origin-when-cross-origin',
    },
  })
}
