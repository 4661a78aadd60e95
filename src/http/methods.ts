import { Problem } from '../errors.ts'
import type { RequestContext } from './request-context.ts'
import { preflight } from './response-headers.ts'

interface Route {
  readonly method: string
  readonly path: string
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers requests without a route: OPTIONS, a wrong method of a known path (405 with `Allow`), and unknown paths (404).
 * `routes` is called once, for the first such request.
 */
export function createFallback(routes: () => readonly Route[]): (context: RequestContext) => Response {
  let table: { readonly method: string; readonly pattern: RegExp }[] | undefined
  return ({ method, path }) => {
    table ??= routes().map((route) => ({ method: route.method, pattern: patternOf(route.path) }))
    const found = new Set(table.filter(({ pattern }) => pattern.test(path)).map((route) => route.method))
    if (found.size === 0) throw new Problem('not_found', 'There is nothing at this path.')
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
