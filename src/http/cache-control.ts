import type { Granted } from '../access/authorization.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** The default cache lifetime of priced assets. */
export const pricedSeconds = 86_400
const staleSeconds = 604_800
/** A URL that is signed with `t` is good for some minutes, and its answer is kept about as long. */
const timestampedSeconds = 300

/** The grant that limits how long an answer may be kept. */
type Right = Pick<Granted, 'mode' | 'secondsLeft'>

/**
 * Returns the `Cache-Control` of a priced asset: what the caller asked for, and never fresh for longer than the right to
 * it. What one caller paid for or signed for the moment is not for shared caches.
 */
export function cacheControlOf(
  { cacheSeconds, credentials }: Pick<ParsedRequest, 'cacheSeconds' | 'credentials'>,
  { mode, secondsLeft = Number.POSITIVE_INFINITY }: Right,
  isPaid = mode === 'payment',
): string {
  if (credentials.signature?.kind === 't') return privateFor(Math.min(timestampedSeconds, secondsLeft))
  if (isPaid) return privateFor(Math.min(cacheSeconds, secondsLeft))
  if (secondsLeft >= cacheSeconds + staleSeconds)
    return cacheSeconds === pricedSeconds ? publicByDefault : publicFor(cacheSeconds, staleSeconds)
  const freshSeconds = Math.min(cacheSeconds, secondsLeft)
  return publicFor(freshSeconds, secondsLeft - freshSeconds)
}

/** Returns the `Cache-Control` of an answer that has one already, as far as the right to it goes. */
export function limitedCacheControl(cacheControl: string, { secondsLeft = Number.POSITIVE_INFINITY }: Right) {
  const seconds = Number(/\bmax-age=(\d+)/.exec(cacheControl)?.[1] ?? 0)
  return seconds <= secondsLeft
    ? cacheControl
    : cacheControl.replace(/\bmax-age=\d+/, `max-age=${secondsLeft}`)
}

function privateFor(seconds: number): string {
  return `private, max-age=${seconds}`
}

function publicFor(seconds: number, stale: number): string {
  const fresh = `public, max-age=${seconds}`
  return stale === 0 ? fresh : `${fresh}, stale-while-revalidate=${stale}`
}

/** One string for nearly all responses: templates are found by it, and equal strings that are one compare at once. */
const publicByDefault = publicFor(pricedSeconds, staleSeconds)
