import { expect, test } from 'bun:test'
import { dayMs } from '../../src/lib/clock.ts'
import { createSharedAddressWatch } from '../../src/lib/client-addresses.ts'

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
  expect([note('127.0.0.1', 50), note(proxy), note('127.0.0.1', 50), note(proxy, 50)]).toEqual([
    false,
    true,
    true,
    true,
  ])
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
