import type { Target } from '../../http/target.ts'
import { fromAvatarPath, fromAvatarQuery, fromInitialsQuery } from './avatar-urls.ts'
import { fromBadgenPath, fromBadgePath, fromStaticQuery } from './badge-urls.ts'

/**
 * Translates URLs of shields.io, badgen.net, ui-avatars.com and DiceBear into ours, so that pages move by changing a host
 * name. What those services overlook is overlooked here too. Returns undefined for every other URL.
 */
export function fromCompatibilityUrl(target: Target): Target | undefined {
  const { path } = target
  if (path.startsWith('/badge/')) return fromBadgePath(target, path.slice('/badge/'.length))
  if (path === '/static/v1') return fromStaticQuery(target)
  if (path.startsWith('/static/')) return fromBadgenPath(target, path.slice('/static/'.length))
  if (path === '/api/' || path === '/api') return fromAvatarQuery(target)
  if (path.startsWith('/api/'))
    return ownPaths.test(path) ? undefined : fromAvatarPath(target, path.slice('/api/'.length))
  const format = /^\/\d{1,2}\.(?:\d{1,2}|x)\/initials\/(svg|png|json)$/.exec(path)?.[1]
  return format === undefined ? undefined : fromInitialsQuery(target, format)
}

/** Our own paths, which no person's name may hide: those in lower-case ASCII, with hyphens, without a size behind them. */
const ownPaths = /^\/api\/[a-z.-]+(?:\/[a-z.-]*)?$/
