import type { Target } from '../../http/request-context.ts'
import { fromAvatarPath, fromAvatarQuery, fromInitialsQuery, fromSeedPath } from './avatar-urls.ts'
import { fromBadgePath, fromEndpointPath, fromStaticPath } from './badge-urls.ts'

/** Translates URLs of shields.io, badgen.net, ui-avatars.com and DiceBear, and overlooks what they do; else undefined. */
export function fromCompatibilityUrl(target: Target): Target | undefined {
  const { path } = target
  if (path.startsWith('/api')) return fromApiPath(target)
  // Every request comes by here, so the paths of no other service are told by their first letters.
  return starts.test(path) ? fromOtherPath(target) : undefined
}

/** An encoded slash in the text of a badge is a slash: `shadcn%2Fui`, `10.5281%2Fzenodo`. */
export function isBadgeContent(path: string): boolean {
  return /^\/{1,9}(?:badge\/|static\/|:)/.test(path)
}

const starts = /^\/(?:badge|static|endpoint|[/:\d]|v2)/

function fromApiPath(target: Target): Target | undefined {
  const { path } = target
  if (path === '/api/' || path === '/api') return fromAvatarQuery(target)
  if (path.startsWith('/api/initials/')) return fromSeedPath(target, path.slice('/api/initials/'.length))
  if (!path.startsWith('/api/') || ownPaths.test(path)) return undefined
  return fromAvatarPath(target, path.slice('/api/'.length))
}

function fromOtherPath(target: Target): Target | undefined {
  // Slashes in front are overlooked, and a colon was shields.io's first way to write a badge.
  const [, start, rest = ''] = /^\/{1,9}(badge\/|static\/|:)(.*)$/s.exec(target.path) ?? []
  if (start === 'static/') return fromStaticPath(target, rest)
  if (start !== undefined) return fromBadgePath(target, rest)
  if (target.path.startsWith('/endpoint')) return fromEndpointPath(target)
  const [, format] =
    /^\/\d{1,2}\.(?:\d{1,2}|x)\/initials\/(svg|png|jpe?g|webp|avif|json)\/?$/.exec(target.path) ?? []
  if (format !== undefined) return fromInitialsQuery(target, format)
  const [, seed] = /^\/(?:\d\.\d{1,2}\/api|v2)\/initials\/(.*)$/s.exec(target.path) ?? []
  return seed === undefined ? undefined : fromSeedPath(target, seed)
}

/** Our own paths, which no person's name may hide: those in lower-case ASCII, with hyphens, without a size behind them. */
const ownPaths = /^\/api\/[a-z.-]+(?:\/[a-z.-]*)?$/
