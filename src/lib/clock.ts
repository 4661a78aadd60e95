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

/** Poll interval while waiting. */
const lookMs = 100

let awakeMs = 0
let lastLookMs = 0

/**
 * The clock of those who wait for somebody else's answer, in ms from an arbitrary start. Where this process itself stood
 * still, because it loaded code or the machine was busy, only 200 ms are counted: what was answered meanwhile is read
 * afterwards, and by the plain clock it would be too late. The clock runs while somebody waits with `setAwakeTimeout` or looks
 * that often himself.
 */
export function awakeNowMs(): number {
  const nowMs = performance.now()
  awakeMs += Math.min(nowMs - lastLookMs, 2 * lookMs)
  lastLookMs = nowMs
  return awakeMs
}

export interface AwakeTimeout {
  clear(): void
}

/** Calls back after `delayMs` by `awakeNowMs`. */
export function setAwakeTimeout(callback: () => void, delayMs: number): AwakeTimeout {
  const deadlineMs = awakeNowMs() + delayMs
  let timer: ReturnType<typeof setTimeout>

  function wait(restMs: number): void {
    timer = setTimeout(look, Math.min(lookMs, Math.max(1, restMs)))
  }

  function look(): void {
    const restMs = deadlineMs - awakeNowMs()
    if (restMs > 0) wait(restMs)
    else callback()
  }

  wait(delayMs)
  return { clear: () => clearTimeout(timer) }
}

/** Settles as the promise does, but rejects with an error once it has taken `delayMs` by `awakeNowMs`. */
export async function withinAwake<T>(promise: Promise<T>, delayMs: number, late: () => Error): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>()
  const timer = setAwakeTimeout(() => reject(late()), delayMs)
  try {
    return await Promise.race([promise, end])
  } finally {
    timer.clear()
  }
}
