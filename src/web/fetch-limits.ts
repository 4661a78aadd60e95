export interface FetchLimits {
  readonly dnsMs: number
  /** To the end of the TLS handshake. */
  readonly connectMs: number
  readonly headersMs: number
  /** The longest silence in the middle of a body. */
  readonly idleMs: number
  readonly totalMs: number
  readonly redirects: number
  readonly headerBytes: number
  readonly bodyBytes: number
}

export interface HopLimits extends FetchLimits {
  /** On the clock of `awakeNowMs()`, because time in which this process stands still is not the site's. */
  readonly deadlineAt: number
  readonly wireBytes: number
}

export const defaultLimits: FetchLimits = {
  dnsMs: 3_500,
  connectMs: 3_000,
  headersMs: 5_000,
  idleMs: 3_000,
  totalMs: 10_000,
  redirects: 5,
  headerBytes: 65_536,
  bodyBytes: 2_097_152,
}
