import type { Target } from './target.ts'

/** The path of a base URL, such as `/mint`; empty where it has none. */
export function basePathOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\/[^/]*/, '')
}

/**
 * Removes the base path from what was asked for. A target without it stays, because a proxy may have removed it. The base
 * path alone stays too: it leads to the home page, which has a slash behind it.
 */
export function withoutBasePath(target: Target, basePath: string): Target {
  const { path, rawQuery } = target
  return path.startsWith(`${basePath}/`) ? { path: path.slice(basePath.length), rawQuery } : target
}

/** Attributes that browsers and our scripts follow, with a path of ours as their value. */
const followed = /( (?:href|src|action|formaction|poster|data-[\w-]+)=")(?=\/(?!\/))/g

/**
 * Writes the base path before every path that HTML of ours names. Quotes in text are escaped, so that an attribute is the
 * only thing that looks like one.
 */
export function htmlBelow(basePath: string, html: string): string {
  return basePath === '' ? html : html.replace(followed, `$1${basePath}`)
}

/** Does the same to a finished response: to the path that it redirects to, and to its HTML. */
export async function responseBelow(basePath: string, response: Response): Promise<Response> {
  const { headers, status } = response
  const location = headers.get('location')
  if (location?.startsWith('/')) headers.set('location', basePath + location)
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  // Pages that are kept are written for their base path, which their ETag covers.
  if (!isHtml || headers.has('etag') || response.body === null) return response
  return new Response(htmlBelow(basePath, await response.text()), { status, headers })
}
