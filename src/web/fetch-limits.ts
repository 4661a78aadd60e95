import limits from './fetch-limits.json' with { type: 'json' }

/**
 * Limits of one fetch, in milliseconds and bytes: to the end of the TLS handshake (`connectMs`), of a silence in the middle
 * of a body (`idleMs`), over all redirects (`totalMs`), of the body after decoding
 * (`bodyBytes`).
 */
export type FetchLimits = Readonly<typeof limits>

export const defaultLimits: FetchLimits = limits

export interface HopLimits extends FetchLimits {
  /** On the clock of `awakeNowMs()`, because time in which this process stands still is not the site's. */
  readonly deadlineAt: number
  /** The most that may come over the wire of a body. */
  readonly wireBytes: number
}
