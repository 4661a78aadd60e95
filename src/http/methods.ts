import { Problem } from '../errors.ts'
import type { RequestContext } from './request-context.ts'
import { preflight } from './response-headers.ts'
import { targetOf } from './target.ts'

interface Route {
  readonly method: string
  readonly path: string
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers requests without a route: OPTIONS, a wrong method of a known path (405 with `Allow`), a known path with a slash
 * behind it (308 to the one without), and unknown paths (404). `routes` is called once, for the first such request.
 */
export function createFallback(routes: () => readonly Route[]): (context: RequestContext) => Response {
  let table: { readonly method: string; readonly pattern: RegExp }[] | undefined
  function methodsAt(path: string): ReadonlySet<string> {
    table ??= routes().map((route) => ({ method: route.method, pattern: patternOf(route.path) }))
    return new Set(table.filter(({ pattern }) => pattern.test(path)).map((route) => route.method))
  }

  return ({ method, path, rawQuery }) => {
    const found = methodsAt(path)
    if (found.size === 0) {
      const bare = path.replace(/\/$/, '')
      if (bare === path || methodsAt(bare).size === 0) {
        throw new Problem('not_found', 'There is nothing at this path.')
      }
      return new Response(null, { status: 308, headers: { location: targetOf({ path: bare, rawQuery }) } })
    }
    const routed = methodOrder.filter((candidate) => found.has(candidate))
    const methods = [...routed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])), 'OPTIONS']
    if (method === 'OPTIONS') return preflight(path, methods)
    const allow = methods.join(', ')
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } })
  }
}

/** Turns a route's path, such as `/admin/keys/:id`, into a regular expression. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
    .join('/')
  return new RegExp(`^${source}$`)
}
