export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** A time that is `spanMs` or more ahead does not count: it was written before the clock was set back. */
export function isWithin(atMs: number, nowMs: number, spanMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs
}

/** A deadline more than `spanMs` away does not hold: it was written before the clock was set back. */
export function isStillAhead(untilMs: number, nowMs: number, spanMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + spanMs
}

/** The value of `Retry-After` until `timeMs`: whole seconds, at least one, at most `spanMs`. */
export function secondsUntil(timeMs: number, nowMs: number, spanMs: number): number {
  return Math.ceil(Math.min(Math.max(timeMs - nowMs, 1), spanMs) / 1000)
}

/** Days since 1970-01-01 UTC. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** Hours since 1970-01-01T00:00Z. */
export function utcHour(timeMs: number): number {
  return Math.floor(timeMs / hourMs)
}

export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

const lookMs = 100

let awakeMs = 0
let lastLookMs = 0

/**
 * The clock of those who wait for an answer, in ms. Where this process stood still, only 200 ms count: answers of that time
 * are read afterwards. It runs while somebody waits with `setAwakeTimeout` or looks as often.
 */
export function awakeNowMs(): number {
  const nowMs = performance.now()
  awakeMs += Math.min(nowMs - lastLookMs, 2 * lookMs)
  lastLookMs = nowMs
  return awakeMs
}

export type AwakeTimeout = ReturnType<typeof setAwakeTimeout>

export function setAwakeTimeout(callback: () => void, delayMs: number) {
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
