import { expect, test } from 'bun:test'
import { createLoginThrottle, type LoginThrottle } from '../../admin/login-throttle.ts'

const clock = { nowMs: 1_000_000, now: () => clock.nowMs }

function fail(throttle: LoginThrottle, address: string): boolean {
  const admission = throttle.admit(address)
  if (admission.admitted) admission.done(false)
  return admission.admitted
}

test('addresses of one IPv6 network share their attempts, and other networks have their own', () => {
  const throttle = createLoginThrottle(clock)
  const tries = Array.from({ length: 7 }, (_, n) => fail(throttle, `2001:db8:1:2::${n}`))
  expect(tries).toEqual([true, true, true, true, true, false, false])
  expect(fail(throttle, '2001:db8:1:3::1')).toBe(true)
})

test('fifty wrong passwords from anywhere close the door to everybody, until the first of them is old', () => {
  const throttle = createLoginThrottle(clock)
  for (let n = 0; n < 50; n += 1) expect(fail(throttle, `192.0.2.${n}`)).toBe(true)
  expect(throttle.admit('198.51.100.1')).toEqual({ admitted: false, retryAfterSeconds: 900 })
  clock.nowMs += 900_000
  expect(fail(throttle, '198.51.100.1')).toBe(true)
})

test('a right password costs nothing', () => {
  const throttle = createLoginThrottle(clock)
  for (let n = 0; n < 20; n += 1) {
    const admission = throttle.admit('192.0.2.1')
    expect(admission.admitted).toBe(true)
    if (admission.admitted) admission.done(true)
  }
})

test('two are checked at once, and a place is free again when one is done', () => {
  const throttle = createLoginThrottle(clock)
  const first = throttle.admit('192.0.2.1')
  throttle.admit('192.0.2.2')
  expect(throttle.admit('192.0.2.3').admitted).toBe(false)
  if (first.admitted) first.done(true)
  expect(throttle.admit('192.0.2.3').admitted).toBe(true)
})
