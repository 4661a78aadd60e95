import { hasEnded } from '../../src/access/key-validity.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { formatTime, formatTimeLeft } from '../../src/lib/human-format.ts'
import { keyEndSoonDays } from '../../src/operator/concern.ts'
import type { KeyRow } from '../../src/store/keys.ts'

export function endsSoon(key: KeyRow, nowMs: number): key is KeyRow & { readonly expiresAtMs: number } {
  const { expiresAtMs } = key
  return expiresAtMs !== null && !hasEnded(key, nowMs) && expiresAtMs <= nowMs + keyEndSoonDays * dayMs
}

/** The end of a key in sentences, with its time to the minute. */
export function describeEnd(key: KeyRow, nowMs: number): string {
  const { expiresAtMs } = key
  if (expiresAtMs === null) return 'It has no end.'
  const time = `${formatTime(expiresAtMs).slice(0, 16)} UTC`
  if (hasEnded(key, nowMs))
    return `It ended on ${time}: every use of it is refused. A later end brings it back.`
  return `It ends on ${time}, in ${formatTimeLeft(expiresAtMs - nowMs)}. From then on every use of it is refused.`
}
