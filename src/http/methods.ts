import { Problem } from '../errors.ts'
import { preflight } from './cors.ts'
import type { RequestContext } from './request-context.ts'

interface Route {
  readonly method: string
  readonly path: string
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers what the router has no handler for: OPTIONS; a wrong method of a known path, with 405 and `Allow`;
 * and what is not there at all. `routes` is called once, when the first such request comes.
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

/** A route's path, such as `/admin/keys/:id`, as an expression. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
    .join('/')
  return new RegExp(`^${source}$`)
}
