import { Problem } from '../errors.ts'
import { createCoalescer } from '../lib/waiter.ts'
import { type RequestContext, splitTarget, type Target } from './request-context.ts'

export function basePathOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\/[^/]*/, '')
}

/** A target without the base path stays, because a proxy may have removed it, as does the path alone, which leads home. */
export function withoutBasePath(target: Target, basePath: string): Target {
  const { path, rawQuery } = target
  return path.startsWith(`${basePath}/`) ? { path: path.slice(basePath.length), rawQuery } : target
}

/** Attributes that browsers and our scripts follow, with a path of ours as their value. */
const followed = /( (?:href|src|srcset|action|formaction|poster|data-[\w-]+)=")(?=\/(?!\/))/g

/** Writes the base path before every path in our HTML. Quotes in text are escaped, so only attributes look like one. */
export function htmlBelow(basePath: string, html: string): string {
  return basePath === '' ? html : html.replace(followed, `$1${basePath}`)
}

export async function responseBelow(basePath: string, response: Response): Promise<Response> {
  const { headers, status } = response
  const location = headers.get('location')
  if (location?.startsWith('/')) headers.set('location', basePath + location)
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  // Pages that are kept are written for their base path, which their ETag covers.
  if (!isHtml || headers.has('etag') || response.body === null) return response
  return new Response(htmlBelow(basePath, await response.text()), { status, headers })
}

/** The part of a path that rules of a proxy are about: its first segment, below `/api` the first two. */
function areaOf(path: string): string {
  return /^\/(?:api\/)?[^/]*/.exec(path)?.[0] ?? '/'
}

export function areasOf(paths: Iterable<string>): ReadonlySet<string> {
  const areas = new Set([...paths].map(areaOf))
  areas.delete('/')
  return areas
}

/** Returns the starts of targets in each area, with the area: a target may begin with the path of the base URL. */
export function guardedStarts(areas: ReadonlySet<string>, baseUrl: string | undefined) {
  const starts = new Set(['', basePathOf(baseUrl ?? '')])
  return new Map([...starts].flatMap((start) => [...areas].map((area) => [start + area, area] as const)))
}

/** Throws if the runtime resolved `..` or `\` into another area than was sent (or none): a proxy may have let it pass. */
export function checkArea(areas: ReadonlySet<string>, path: string, targetArea: string): void {
  const area = areaOf(path)
  if (area !== targetArea && (areas.has(area) || targetArea !== '')) throw resolvedTarget
}

const resolvedTargetDetail =
  'The request target is not the path that it leads to. Send the path itself, without . or .. and backslashes.'
const resolvedTarget = new Problem('invalid_path', resolvedTargetDetail)

/** An answer about the proxy holds for a minute, and is waited for for a second. */
const knownMs = 60_000
const askedMs = 1_000

/** A proxy leads to these from the root of the host; monitors ask for the last two. */
const alsoAtRoot = /^\/(?:\.well-known\/.*|robots\.txt|sitemap\.xml|healthz|readyz)$/

/**
 * Leaves each guarded path one spelling, with or without the base path as the proxy sends it: with both, a rule of the
 * proxy would hold for one of them. A request of our own finds out which; until then both are answered.
 */
export function createSpellingCheck(baseUrl = '', guardedAreas?: () => ReadonlySet<string>) {
  const basePath = basePathOf(baseUrl)
  const askOnce = createCoalescer<void>()
  let arrival: string | undefined
  let knownUntilMs = Number.NEGATIVE_INFINITY
  let areas: ReadonlySet<string> | undefined

  async function ask(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(askedMs)
      // biome-ignore lint/style/noRestrictedGlobals: the operator names this URL, no caller can
      const answer = await fetch(`${baseUrl}/healthz`, { redirect: 'manual', signal })
      await answer.body?.cancel()
      arrival = answer.headers.get(arrivalHeader) ?? undefined
    } catch {
      // An earlier answer still holds.
    }
    knownUntilMs = performance.now() + knownMs
  }

  function check(context: RequestContext): void {
    const isBelow = isBelowPath(context, basePath)
    const isOther = arrival === 'removed' ? isBelow : arrival === 'passed' && !isBelow && isForwarded(context)
    if (isOther && !alsoAtRoot.test(context.path))
      throw new Problem('not_found', 'There is nothing at this path.')
  }

  return (context: RequestContext): Promise<void> | undefined => {
    if (basePath === '') return undefined
    areas ??= guardedAreas?.() ?? new Set()
    if (!areas.has(areaOf(context.path)) || context.path === '/healthz') return undefined
    if (performance.now() >= knownUntilMs) return askOnce('', ask).then(() => check(context))
    check(context)
    return undefined
  }
}

/** Says of a request to the base URL whether its path was passed on or removed by the proxy that it came through. */
export const arrivalHeader = 'x-mintmark-base-path'

/** The value of that header; undefined where the base URL has no path, or no proxy is in front. */
export function arrivalOf(context: RequestContext): string | undefined {
  const basePath = basePathOf(context.baseUrl)
  if (basePath === '') return undefined
  if (!isBelowPath(context, basePath)) return 'removed'
  return isForwarded(context) ? 'passed' : undefined
}

export function isBelowPath({ request }: RequestContext, basePath: string): boolean {
  return splitTarget(request.url).path.startsWith(`${basePath}/`)
}

function isForwarded({ request: { headers } }: RequestContext): boolean {
  return ['x-forwarded-for', 'forwarded', 'via'].some((name) => headers.has(name))
}
