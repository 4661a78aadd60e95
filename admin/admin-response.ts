import { htmlResponse } from '../src/http/html-response.ts'
import type { RenderedAsset } from '../src/http/parsed-request.ts'
import { inertSvg } from '../src/http/response-headers.ts'
import { Markup } from '../src/lib/jsx/markup.ts'

/** A page of the operator's area, which no cache stores. A handler's own response is returned as it is. */
export function adminResponse(
  answer: Markup | Response,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!(answer instanceof Markup)) return answer
  return htmlResponse(answer, {
    status,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin', ...headers },
  })
}

/** A picture that a page of the operator's area shows. */
export function adminPicture(
  { body, contentType }: Pick<RenderedAsset, 'body' | 'contentType'>,
  cacheControl: string,
): Response {
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-security-policy': inertSvg,
      'cache-control': cacheControl,
    },
  })
}

/** 303: the browser goes to `location` with GET. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } })
}
