import { Problem } from '../errors.ts'
import { basePathOf } from './base-path.ts'

/** The part of a path that rules of a proxy are about: its first segment, below `/api` the first two. */
export function areaOf(path: string): string {
  return /^\/(?:api\/)?[^/]*/.exec(path)?.[0] ?? '/'
}

/** Returns the areas of routes, other than the home page. */
export function areasOf(paths: Iterable<string>): ReadonlySet<string> {
  const areas = new Set([...paths].map(areaOf))
  areas.delete('/')
  return areas
}

/** Returns the starts of targets in each area, with the area: a target may begin with the path of the base URL. */
export function guardedStarts(
  areas: ReadonlySet<string>,
  baseUrl: string | undefined,
): ReadonlyMap<string, string> {
  const starts = new Set(['', basePathOf(baseUrl ?? '')])
  return new Map([...starts].flatMap((start) => [...areas].map((area) => [start + area, area] as const)))
}

/**
 * Throws if the runtime made the path out of a target in another area, by resolving `..` or turning backslashes into
 * slashes: a proxy may have let that target pass.
 * @param targetArea the area of the target as it was sent; empty for a target outside of all guarded areas
 */
export function checkArea(areas: ReadonlySet<string>, path: string, targetArea: string): void {
  const area = areaOf(path)
  if (area !== targetArea && (areas.has(area) || targetArea !== '')) throw resolvedTarget
}

const resolvedTarget = new Problem(
  'invalid_path',
  'The request target is not the path that it leads to. Send the path itself, without . or .. and backslashes.',
)
