import { expect, test } from 'bun:test'
import { createRateLimit } from '../../src/lib/rate-limit.ts'

test('each key does so many things a minute, and the wait is told', () => {
  let nowMs = 0
  const limit = createRateLimit({ perMinute: 6, now: () => nowMs })
  expect(Array.from({ length: 7 }, () => limit.acquire('a'))).toEqual([0, 0, 0, 0, 0, 0, 10])
  expect(limit.acquire('b')).toBe(0)
  nowMs = 9_999
  expect(limit.acquire('a')).toBe(1)
  nowMs = 10_000
  expect(limit.acquire('a')).toBe(0)
  expect(limit.acquire('a')).toBe(10)
  nowMs = 3_600_000
  expect(Array.from({ length: 7 }, () => limit.acquire('a')).filter((wait) => wait === 0)).toHaveLength(6)
})

test('asking how long to wait takes nothing, and a clock that is set back takes nothing either', () => {
  let nowMs = 600_000
  const limit = createRateLimit({ perMinute: 1, now: () => nowMs })
  expect([limit.waitSeconds('a'), limit.waitSeconds('a'), limit.acquire('a')]).toEqual([0, 0, 0])
  nowMs = 0
  expect([limit.waitSeconds('a'), limit.acquire('a')]).toEqual([60, 60])
})

test('a limit of nothing lets nothing through', () => {
  const limit = createRateLimit({ perMinute: 0, now: () => 0 })
  expect(limit.acquire('a')).toBeGreaterThan(0)
})

test('one subscriber of IPv6 has the limit of one client in its /64, of four in its /56 and of sixteen in its /48', () => {
  const limit = createRateLimit({ perMinute: 2, now: () => 0 })
  const taken = new Map<string, number>()
  for (let subnet = 0; subnet < 0x1000; subnet += 16) {
    for (let host = 1; host <= 3; host += 1) {
      const address = `2001:db8:1:${subnet.toString(16)}::${host}`
      const block = `/56 ${subnet >> 8}`
      if (limit.acquire(address) === 0) taken.set(block, (taken.get(block) ?? 0) + 1)
    }
  }
  expect([...taken.values()]).toEqual([8, 8, 8, 8])
  expect(limit.acquire('2001:db8:2:1::1')).toBe(0)
})
