import { document, type Markup } from '../lib/jsx/markup.ts'

/** Pages load scripts, styles, fonts and pictures from this origin only, and cannot be framed. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The headers of every HTML document of ours. */
export const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
}

export interface HtmlResponseInit {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
}

/** An HTML document with the content security policy of all our pages. `null`: the answer to HEAD. */
export function htmlResponse(page: Markup | null, { status = 200, headers }: HtmlResponseInit): Response {
  return new Response(page && document(page), {
    status,
    headers: { ...htmlHeaders, ...headers },
  })
}
