import type { Clock } from '../../src/lib/clock.ts'

/** A clock that stands still until a test moves it. */
export interface MovableClock extends Clock {
  nowMs: number
}

export function movableClock(nowMs: number): MovableClock {
  const clock: MovableClock = { nowMs, now: () => clock.nowMs }
  return clock
}
