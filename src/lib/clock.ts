/** The source of the time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/**
 * Whether `atMs` was less than `spanMs` ago. A time further in the future than that was written before the clock was set
 * back: it does not count, or it would hold for as long as the clock was wrong.
 */
export function isWithin(atMs: number, nowMs: number, spanMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs
}

/**
 * Whether a deadline that was set `spanMs` ahead still lies in the future. One further away was written before the clock
 * was set back: it no longer holds, or it would for as long as the clock was wrong.
 */
export function isStillAhead(untilMs: number, nowMs: number, spanMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + spanMs
}

/** The value of `Retry-After` until `timeMs`: whole seconds, at least one, at most `spanMs`. */
export function secondsUntil(timeMs: number, nowMs: number, spanMs: number): number {
  return Math.ceil(Math.min(Math.max(timeMs - nowMs, 1), spanMs) / 1000)
}

/** The UTC day that `timeMs` falls on, counted in days since 1970-01-01. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** The hour that `timeMs` falls in, counted in hours since 1970-01-01T00:00Z. */
export function utcHour(timeMs: number): number {
  return Math.floor(timeMs / hourMs)
}

/** The day as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
