import type { Granted } from '../access/authorization.ts'
import type { Encoding } from './compression.ts'
import type { ParsedRequest, RequestContext } from './request-context.ts'

export const pricedSeconds = 86_400
export const pricedStaleSeconds = 604_800
/** A URL that is signed with `t` is good for some minutes, and its answer is kept about as long. */
const timestampedSeconds = 300

type Right = Pick<Granted, 'mode' | 'secondsLeft'>
type Arrival = Pick<RequestContext, 'startMs'>

/** Never fresh for longer than the right to it. What one caller paid or signed for the moment is not for shared caches. */
export function cacheControlOf(
  parsed: Pick<ParsedRequest, 'cacheSeconds' | 'staleSeconds' | 'credentials'>,
  right: Right,
  arrival: Arrival,
  isPaid = right.mode === 'payment',
): string {
  const { cacheSeconds, staleSeconds, credentials } = parsed
  const secondsLeft = freshSecondsMax(right, arrival)
  if (credentials.signature?.kind === 't') return privateFor(Math.min(timestampedSeconds, secondsLeft))
  if (isPaid) return privateFor(Math.min(cacheSeconds, secondsLeft))
  if (secondsLeft >= cacheSeconds + staleSeconds)
    return cacheSeconds === pricedSeconds && staleSeconds === pricedStaleSeconds
      ? publicByDefault
      : publicFor(cacheSeconds, staleSeconds)
  const freshSeconds = Math.min(cacheSeconds, secondsLeft)
  return publicFor(freshSeconds, Math.min(staleSeconds, secondsLeft - freshSeconds))
}

/** Returns the `Cache-Control` of an answer that has one already, as far as the right to it goes. */
export function limitedCacheControl(cacheControl: string, right: Right, arrival: Arrival) {
  const secondsLeft = freshSecondsMax(right, arrival)
  const seconds = Number(/\bmax-age=(\d+)/.exec(cacheControl)?.[1] ?? 0)
  return seconds <= secondsLeft
    ? cacheControl
    : cacheControl.replace(/\bmax-age=\d+/, `max-age=${secondsLeft}`)
}

/** Less what authorizing and drawing took, and a second for the way to the cache, which may count from arrival in whole seconds. */
export function freshSecondsMax({ secondsLeft }: Pick<Right, 'secondsLeft'>, { startMs }: Arrival): number {
  if (secondsLeft === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(secondsLeft - (performance.now() - startMs) / 1000) - 1)
}

function privateFor(seconds: number): string {
  return `private, max-age=${seconds}`
}

function publicFor(seconds: number, stale: number): string {
  if (seconds !== recent.seconds || stale !== recent.stale) {
    const fresh = `public, max-age=${seconds}`
    recent = { seconds, stale, text: stale === 0 ? fresh : `${fresh}, stale-while-revalidate=${stale}` }
  }
  return recent.text
}

/** Consecutive answers mostly have equal values, and one string for them: see `publicByDefault`. */
let recent = { seconds: -1, stale: -1, text: '' }

/** One string for nearly all responses: templates are found by it, and equal strings that are one compare at once. */
const publicByDefault = publicFor(pricedSeconds, pricedStaleSeconds)

/** Returns a strong ETag. It names the bytes on the wire, so each encoding has its own. */
export function etagOf(tag: string, encoding?: Encoding): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
}

/** The caller's ETag for this asset, in whatever encoding. The 304 repeats it: it names the bytes that the caller has. */
export function matchingEtag(ifNoneMatch: string | null, tag: string, plain = etagOf(tag)) {
  if (ifNoneMatch === null) return undefined
  // Browsers send the ETag of their copy unchanged.
  if (ifNoneMatch === plain) return plain
  if (ifNoneMatch.trim() === '*') return plain
  for (const entry of ifNoneMatch.split(',')) {
    const [, etag, bare] = /^\s*(?:W\/)?("([^"]*?)(?:-(?:zstd|br|gzip))?")\s*$/.exec(entry) ?? []
    if (bare === tag) return etag
  }
  return undefined
}
