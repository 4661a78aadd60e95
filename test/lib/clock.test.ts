import { expect, test } from 'bun:test'
import { dayMs, isStillAhead, isWithin, secondsUntil } from '../../src/lib/clock.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')
const later = nowMs + 3 * dayMs

test('what was noted under a clock that was set back since holds no longer than it would have', () => {
  expect(isWithin(nowMs - 1, nowMs, 1000)).toBe(true)
  expect(isWithin(nowMs + 1, nowMs, 1000)).toBe(true)
  expect(isWithin(later, nowMs, 1000)).toBe(false)
  expect(isStillAhead(nowMs + 1000, nowMs, 1000)).toBe(true)
  expect(isStillAhead(nowMs, nowMs, 1000)).toBe(false)
  expect(isStillAhead(later, nowMs, 1000)).toBe(false)
})

test('nobody is told to wait for longer than the wait is, and everybody for a second', () => {
  expect(secondsUntil(nowMs + 1500, nowMs, dayMs)).toBe(2)
  expect(secondsUntil(nowMs - 1500, nowMs, dayMs)).toBe(1)
  expect(secondsUntil(later, nowMs, dayMs)).toBe(86_400)
})
