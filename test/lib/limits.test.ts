import { expect, test } from 'bun:test'
import { addressBlock, clientBlocks, createSharedAddressWatch } from '../../src/lib/client-addresses.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { createDividedLimit, createRateLimit, partOf } from '../../src/lib/rate-limit.ts'
import cases from './limits.json' with { type: 'json' }

test('each key does so many things a minute, and the wait is told', () => {
  let nowMs = 0
  const limit = createRateLimit(6, () => nowMs)
  expect(Array.from({ length: 7 }, () => limit.acquire('a'))).toEqual([0, 0, 0, 0, 0, 0, 10])
  expect(limit.acquire('b')).toBe(0)
  nowMs = 9_999
  expect(limit.acquire('a')).toBe(1)
  nowMs = 10_000
  expect([limit.acquire('a'), limit.acquire('a')]).toEqual([0, 10])
  nowMs = 3_600_000
  expect(Array.from({ length: 7 }, () => limit.acquire('a')).filter((wait) => wait === 0)).toHaveLength(6)
})

test('asking how long to wait takes nothing, and a clock that is set back takes nothing either', () => {
  let nowMs = 600_000
  const limit = createRateLimit(1, () => nowMs)
  expect([limit.waitSeconds('a'), limit.waitSeconds('a'), limit.acquire('a')]).toEqual([0, 0, 0])
  nowMs = 0
  expect([limit.waitSeconds('a'), limit.acquire('a')]).toEqual([60, 60])
})

test('a limit of nothing lets nothing through', () => {
  const limit = createRateLimit(0, () => 0)
  expect(limit.acquire('a')).toBeGreaterThan(0)
})

test('each process of a server has an equal part of a limit, at least one action, and nothing of nothing', () => {
  expect([partOf(30), partOf(30, 4), partOf(30, 256), partOf(0, 4)]).toEqual([30, 7.5, 1, 0])
})

test('one subscriber of IPv6 has the limit of one client in its /64, of four in its /56 and of sixteen in its /48', () => {
  const limit = createRateLimit(2, () => 0)
  const taken = new Map<string, number>()
  for (let subnet = 0; subnet < 0x1000; subnet += 16) {
    for (let host = 1; host <= 3; host += 1) {
      const address = `2001:db8:1:${subnet.toString(16)}::${host}`
      const block = `/56 ${subnet >> 8}`
      if (limit.acquire(address) === 0) taken.set(block, (taken.get(block) ?? 0) + 1)
    }
  }
  expect([[...taken.values()], limit.acquire('2001:db8:2:1::1')]).toEqual([[8, 8, 8, 8], 0])
})

const minuteMs = 60_000
const undivided = { isDivided: () => false }

test('no minute has more than the limit, whenever it begins, and keys do not share it', () => {
  let nowMs = 1_000_000
  const limit = createDividedLimit({ ...undivided, max: 3, now: () => nowMs })
  const taken = []
  for (let step = 0; step < 100; step += 1) {
    nowMs += 5_000
    if (limit.acquire('a', '')) taken.push(nowMs)
  }
  for (const atMs of taken)
    expect(taken.filter((other) => other >= atMs && other < atMs + 60_000).length).toBeLessThanOrEqual(3)
  expect(taken.length).toBeGreaterThan(20)
  expect(limit.acquire('b', '')).toBe(true)
})

test('a clock that is set back locks nobody out', () => {
  let nowMs = 1_000_000
  const limit = createDividedLimit({ ...undivided, max: 1, now: () => nowMs })
  expect([limit.acquire('a', ''), limit.acquire('a', '')]).toEqual([true, false])
  nowMs = 0
  expect(limit.acquire('a', '')).toBe(true)
})

function limitOf(max: number, isDivided = true) {
  let nowMs = 1_000_000
  const limit = createDividedLimit({ max, now: () => nowMs, isDivided: () => isDivided })
  function takeAll(client: string): number {
    let taken = 0
    while (taken < 10_000 && limit.acquire('site', client)) taken += 1
    return taken
  }
  return { limit, takeAll, setClock: (ms: number) => (nowMs = ms), pass: (ms: number) => (nowMs += ms) }
}

test('who comes first leaves a quarter to those who have had less than an eighth', () => {
  const { limit, takeAll } = limitOf(32)
  expect([takeAll('192.0.2.1'), takeAll('192.0.2.2'), takeAll('192.0.2.3')]).toEqual([24, 4, 4])
  expect([takeAll('192.0.2.4'), limit.acquire('another site', '192.0.2.1')]).toEqual([0, true])
})

test('one subscriber of IPv6 is one client in its /64, and at most four in its /56 and sixteen in its /48', () => {
  const { limit, takeAll } = limitOf(32)
  expect([takeAll('192.0.2.1'), takeAll('2001:db8:1:1::1')]).toEqual([24, 4])
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
  const expected = [true, false]
  expect([limit.acquire('site', '192.0.2.1', 20), limit.acquire('site', '192.0.2.1', 5)]).toEqual(expected)
  expect([limit.acquire('site', '192.0.2.1', 4), limit.acquire('site', '192.0.2.2', 4)]).toEqual([true, true])
})

test.each(cases.blocks)('the subscriber of %s is %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test('an IPv6 address counts for the networks that one client may hold whole, with four and sixteen times the share', () => {
  expect(clientBlocks('2001:db8:5:12ab:2:3:4:5')).toEqual([
    { name: '2001:db8:5:12ab', weight: 1 },
    { name: '2001:db8:5:1200/56', weight: 4 },
    { name: '2001:db8:5/48', weight: 16 },
  ])
  expect(clientBlocks('::ffff:192.0.2.1')).toEqual([{ name: '192.0.2.1', weight: 1 }])
  expect(clientBlocks('192.0.2.1')).toEqual([{ name: '192.0.2.1', weight: 1 }])
})

const proxy = '172.18.0.1'

function watchOf(areProxiesNamed = false) {
  let nowMs = 1_000 * dayMs
  const events: string[] = []
  const watch = createSharedAddressWatch({
    now: () => nowMs,
    areProxiesNamed,
    onShared: (address) => void events.push(address),
    onToldApart: () => void events.push('told apart'),
  })
  return {
    watch,
    events,
    pass: (ms: number) => (nowMs += ms),
    /** Whether callers were told apart at the last of these calls. */
    note: (address: string, times = 1) =>
      Array.from({ length: times }, () => watch.note(address)).at(-1) ?? false,
  }
}

test.each([proxy, '10.1.2.3', '127.0.0.1', '::1', 'fd00::1', '100.64.0.9'])(
  'callers who all have the address %s are never divided, from the first call on, and that is told once a day',
  (address) => {
    const { note, events, pass } = watchOf()
    expect([note(address), events]).toEqual([false, []])
    expect([note(address, 50), events]).toEqual([false, [address]])
    pass(dayMs)
    expect([note(address, 50), events]).toEqual([false, [address, address]])
  },
)

test('callers with public addresses are told apart from the first call on', () => {
  const { note, events } = watchOf()
  expect([note('203.0.113.7'), note('203.0.113.7', 50), note('2001:db8::1')]).toEqual([true, true, true])
  expect(events).toEqual(['told apart'])
})

test('a caller with a private address cannot end the division where others call, however often he calls', () => {
  const { note, events, pass } = watchOf()
  note('203.0.113.7')
  for (let hour = 0; hour < 100; hour += 1) {
    expect(note(proxy, 1_000)).toBe(true)
    if (hour % 12 === 0) note('203.0.113.7')
    pass(dayMs / 24)
  }
  expect(events).toEqual(['told apart'])
})

test('several private addresses are told apart, and one of them alone after a day without the others', () => {
  const { note, pass } = watchOf()
  expect([note('10.0.0.1'), note('10.0.0.2'), note('10.0.0.1', 50)]).toEqual([false, true, true])
  pass(dayMs)
  expect(note('10.0.0.1')).toBe(false)
})

test('calls of this machine itself beside a proxy’s change nothing, as 127.0.0.1 beside ::1 does not', () => {
  const { note, events } = watchOf()
  expect([note('127.0.0.1'), note('::1'), note(proxy), note('127.0.0.1'), note(proxy, 50)]).toEqual(
    Array.from({ length: 5 }, () => false),
  )
  expect(events).toEqual([proxy])
})

test('where proxies are named, a day with one private address alone shows that one is missing', () => {
  const { note, events, pass } = watchOf(true)
  const expected = [false, true, true, true]
  expect([note('127.0.0.1', 50), note(proxy), note('127.0.0.1', 50), note(proxy, 50)]).toEqual(expected)
  pass(dayMs)
  expect([note(proxy, 50), events]).toEqual([false, ['127.0.0.1', 'told apart', proxy]])
})

test('an address that reaches a limit is told at once, and none before there was a caller', () => {
  const { watch, events } = watchOf()
  watch.warn()
  expect(events).toEqual([])
  watch.note(proxy)
  watch.warn()
  watch.warn()
  expect(events).toEqual([proxy])
  watch.note('203.0.113.7')
  watch.warn()
  expect(events).toEqual([proxy, 'told apart'])
})
