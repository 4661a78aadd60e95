/** Where the time comes from. Everything that depends on time is given one, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const dayMs = 86_400_000

/** The UTC day that `timeMs` falls on, counted in days since 1970-01-01. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** The day as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
