import { expect, test } from 'bun:test'
import { createDividedLimit } from '../../src/lib/rate-limit.ts'

const minuteMs = 60_000

function limitOf(max: number, isDivided = true) {
  let nowMs = 1_000_000
  const limit = createDividedLimit({ max, windowMs: minuteMs, now: () => nowMs, isDivided: () => isDivided })
  function takeAll(client: string): number {
    let taken = 0
    while (taken < 10_000 && limit.acquire('site', client)) taken += 1
    return taken
  }
  return { limit, takeAll, setClock: (ms: number) => (nowMs = ms), pass: (ms: number) => (nowMs += ms) }
}

test('who comes first leaves a quarter to those who have had less than an eighth', () => {
  const { limit, takeAll } = limitOf(32)
  expect(takeAll('192.0.2.1')).toBe(24)
  expect(takeAll('192.0.2.2')).toBe(4)
  expect(takeAll('192.0.2.3')).toBe(4)
  expect(takeAll('192.0.2.4')).toBe(0)
  expect(limit.acquire('another site', '192.0.2.1')).toBe(true)
})

test('one subscriber of IPv6 is one client in its /64, and at most four in its /56 and sixteen in its /48', () => {
  const { limit, takeAll } = limitOf(32)
  expect(takeAll('192.0.2.1')).toBe(24)
  expect(takeAll('2001:db8:1:1::1')).toBe(4)
  expect(limit.acquire('site', '2001:db8:1:1:ffff::2')).toBe(false)
  expect(limit.acquire('site', '2001:db8:1:2::1')).toBe(true)
})

test('a failed action is given back to everybody, but not to the client, who cannot fail for ever', () => {
  const { limit } = limitOf(32)
  let failed = 0
  while (failed < 1_000 && limit.acquire('site', '192.0.2.1')) {
    limit.giveBack('site', '192.0.2.1')
    failed += 1
  }
  expect(failed).toBe(24)
  expect(Array.from({ length: 30 }, () => limit.acquire('site', '192.0.2.2')).filter(Boolean)).toHaveLength(
    24,
  )
})

test('a crowd whose actions fail is given back twice the limit, and all of it is forgotten after a window', () => {
  const { limit, takeAll, pass } = limitOf(32)
  function failAll() {
    let failed = 0
    for (let client = 0; client < 100; client += 1)
      for (let times = 0; times < 4; times += 1) {
        if (!limit.acquire('site', `192.0.2.${client}`)) continue
        limit.giveBack('site', `192.0.2.${client}`)
        failed += 1
      }
    return failed
  }
  expect(failAll()).toBe(64 + 32)
  pass(minuteMs)
  expect(failAll()).toBe(64 + 32)
  pass(minuteMs)
  expect(takeAll('192.0.2.1')).toBe(24)
})

test('no window has more than the limit, and each action is forgotten after a window', () => {
  const { limit, pass } = limitOf(16)
  const taken: number[] = []
  for (let step = 0; step < 300; step += 1) {
    pass(1_000)
    if (limit.acquire('site', `192.0.2.${step % 3}`)) taken.push(step)
  }
  for (const from of taken)
    expect(taken.filter((step) => step >= from && step < from + 60).length).toBeLessThanOrEqual(16)
  expect(taken.length).toBeGreaterThan(48)
})

test('a clock that is set back locks nobody out', () => {
  const { takeAll, setClock } = limitOf(32)
  expect(takeAll('192.0.2.1')).toBe(24)
  setClock(0)
  expect(takeAll('192.0.2.1')).toBe(24)
})

test('where all clients have one address, nothing is divided', () => {
  const { takeAll } = limitOf(32, false)
  expect(takeAll('127.0.0.1')).toBe(32)
})

test('several actions are taken at once or not at all', () => {
  const { limit } = limitOf(32)
  expect([limit.acquire('site', '192.0.2.1', 20), limit.acquire('site', '192.0.2.1', 5)]).toEqual([
    true,
    false,
  ])
  expect([limit.acquire('site', '192.0.2.1', 4), limit.acquire('site', '192.0.2.2', 4)]).toEqual([true, true])
})
