import { hasEnded } from '../../src/access/key-validity.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { formatSpan, formatTime } from '../../src/lib/human-format.ts'
import type { KeyRow } from '../../src/store/keys.ts'

/** How close the end of a key is where the pages point it out. */
export const soonDays = 14

export function endsSoon(key: Pick<KeyRow, 'expiresAtMs'>, nowMs: number): boolean {
  const { expiresAtMs } = key
  return expiresAtMs !== null && !hasEnded(key, nowMs) && expiresAtMs <= nowMs + soonDays * dayMs
}

/** The end of a key as a sentence, with its time to the minute. */
export function describeEnd(key: Pick<KeyRow, 'expiresAtMs'>, nowMs: number): string {
  const { expiresAtMs } = key
  if (expiresAtMs === null) return 'It has no end.'
  const time = `${formatTime(expiresAtMs).slice(0, 16)} UTC`
  return hasEnded(key, nowMs)
    ? `It ended on ${time}.`
    : `It ends on ${time}, in ${formatSpan(expiresAtMs - nowMs)}.`
}
