import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createLoginThrottle, type LoginThrottle } from '../../admin/login-throttle.ts'
import { openStore } from '../../src/store/open.ts'
import { run } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary.ts'

const clock = { nowMs: 1_000_000, now: () => clock.nowMs }
const directory = temporaryDirectory()

function openThrottle(path = ':memory:'): LoginThrottle {
  return createLoginThrottle({ store: openStore({ path, clock }), clock })
}

function fail(throttle: LoginThrottle, address: string): boolean {
  const admission = throttle.admit(address)
  if (admission.admitted) admission.done(false)
  return admission.admitted
}

test('addresses of one IPv6 network share their attempts, and other networks have their own', () => {
  const throttle = openThrottle()
  const tries = Array.from({ length: 7 }, (_, n) => fail(throttle, `2001:db8:1:2::${n}`))
  expect(tries).toEqual([true, true, true, true, true, false, false])
  expect(fail(throttle, '2001:db8:1:3::1')).toBe(true)
})

test('fifty wrong passwords from anywhere close the door to everybody, until the first of them is old', () => {
  const throttle = openThrottle()
  for (let n = 0; n < 50; n += 1) expect(fail(throttle, `192.0.2.${n}`)).toBe(true)
  expect(throttle.admit('198.51.100.1')).toEqual({ admitted: false, retryAfterSeconds: 900 })
  clock.nowMs += 900_000
  expect(fail(throttle, '198.51.100.1')).toBe(true)
})

test('a right password costs nothing', () => {
  const throttle = openThrottle()
  for (let n = 0; n < 20; n += 1) {
    const admission = throttle.admit('192.0.2.1')
    expect(admission.admitted).toBe(true)
    if (admission.admitted) admission.done(true)
  }
})

test('two are checked at once, and a place is free again when one is done', () => {
  const throttle = openThrottle()
  const first = throttle.admit('192.0.2.1')
  throttle.admit('192.0.2.2')
  expect(throttle.admit('192.0.2.3').admitted).toBe(false)
  if (first.admitted) first.done(true)
  expect(throttle.admit('192.0.2.3').admitted).toBe(true)
})

test('two processes that share a store count together, also what is being checked at this moment', () => {
  const path = join(directory, 'two.sqlite')
  const throttles = [openThrottle(path), openThrottle(path)] as const
  const admissions = Array.from({ length: 10 }, (_, n) => {
    const admission = throttles[n % 2 === 0 ? 0 : 1].admit('192.0.2.1')
    // The last one of the five is still being checked while the others try.
    if (admission.admitted && n < 4) admission.done(false)
    return admission
  })
  expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(5)
  const [last] = admissions.filter(({ admitted }) => admitted).slice(-1)
  if (last?.admitted) last.done(true)
  expect(throttles[1].admit('192.0.2.1').admitted).toBe(true)
})

test('processes that guess at the same moment have exactly five guesses together, on Bun and on Deno', async () => {
  const path = join(directory, 'guesses.sqlite')
  const outputs = await Promise.all(
    (['bun', 'bun', 'deno'] as const).map((runtime) =>
      run(runtime, 'test/admin/children/wrong-passwords.ts', path, '192.0.2.1', '40'),
    ),
  )
  expect(outputs.map(Number).reduce((sum, looked) => sum + looked, 0)).toBe(5)
}, 60_000)

test('a clock that is set back locks nobody out for longer than the quarter of an hour', () => {
  const path = join(directory, 'back.sqlite')
  const throttle = openThrottle(path)
  for (let n = 0; n < 5; n += 1) fail(throttle, '192.0.2.1')
  clock.nowMs -= 600_000
  expect(throttle.admit('192.0.2.1')).toEqual({ admitted: false, retryAfterSeconds: 900 })
  clock.nowMs -= 86_400_000
  expect(fail(throttle, '192.0.2.1')).toBe(true)
})
