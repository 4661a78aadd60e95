/** Where the time comes from. Everything that depends on time is given one, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const dayMs = 86_400_000

/**
 * Whether `atMs` was less than `spanMs` ago. A time as far in the future counts for nothing: it is of a clock that was
 * set back since, and would hold for as long as the clock was wrong.
 */
export function isWithin(atMs: number, nowMs: number, spanMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs
}

/**
 * Whether a time that was set `spanMs` ahead has not come yet. One that is further away is of a clock that was set back
 * since: it holds no longer, or it would for as long as the clock was wrong.
 */
export function isStillAhead(untilMs: number, nowMs: number, spanMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + spanMs
}

/** What `Retry-After` says: whole seconds, at least one, and never more than the span that the wait is of. */
export function secondsUntil(timeMs: number, nowMs: number, spanMs: number): number {
  return Math.ceil(Math.min(Math.max(timeMs - nowMs, 1), spanMs) / 1000)
}

/** The UTC day that `timeMs` falls on, counted in days since 1970-01-01. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** The day as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
