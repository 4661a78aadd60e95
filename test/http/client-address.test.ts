import { expect, test } from 'bun:test'
import { createPeerReader } from '../../src/http/request-checks.ts'

const read = createPeerReader(['10.0.0.0/8', 'fd00::/8'])

function ask(socketAddress: string, headers: Record<string, string> = {}) {
  return read(new Request('http://localhost/', { headers }), () => socketAddress)
}

test.each([
  ['198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['fd00::1', '2001:db8::5', '2001:db8::5'],
  ['10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '1.1.1.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
  ['10.0.0.1', '10.2.2.2', '10.2.2.2'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9, "}{"', '203.0.113.9'],
])('a request from %s that was forwarded for %s is from %s', (socket, forwarded, expected) => {
  expect(ask(socket, { 'x-forwarded-for': forwarded }).address).toBe(expected)
})

test('without a forwarding header the caller is whoever holds the socket', () => {
  expect(ask('10.0.0.1').address).toBe('10.0.0.1')
  expect(ask('::ffff:192.0.2.1').address).toBe('192.0.2.1')
})

test('only a trusted proxy may say that the caller came by https', () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  expect(ask('10.0.0.1', forwarded).isSecure).toBe(true)
  expect(ask('192.0.2.1', forwarded).isSecure).toBe(false)
})
