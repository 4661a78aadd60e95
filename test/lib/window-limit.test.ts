import { expect, test } from 'bun:test'
import { createWindowLimit } from '../../src/lib/rate-limit.ts'

test('no minute has more than the limit, whenever it begins, and keys do not share it', () => {
  let nowMs = 1_000_000
  const limit = createWindowLimit({ perMinute: 3, now: () => nowMs })
  const taken = []
  for (let step = 0; step < 100; step += 1) {
    nowMs += 5_000
    if (limit.acquire('a')) taken.push(nowMs)
  }
  for (const atMs of taken)
    expect(taken.filter((other) => other >= atMs && other < atMs + 60_000).length).toBeLessThanOrEqual(3)
  expect(taken.length).toBeGreaterThan(20)
  expect(limit.acquire('b')).toBe(true)
})

test('a clock that is set back locks nobody out', () => {
  let nowMs = 1_000_000
  const limit = createWindowLimit({ perMinute: 1, now: () => nowMs })
  expect([limit.acquire('a'), limit.acquire('a')]).toEqual([true, false])
  nowMs = 0
  expect(limit.acquire('a')).toBe(true)
})
