import { describe, expect, test } from 'bun:test'
import { createAddressPolicy, isPublicAddress } from '../../src/web/url-rules.ts'

/** First and last address of every range that is not public, and the public neighbours on both sides. */
const ranges: readonly (readonly [
  before: string | null,
  first: string,
  last: string,
  after: string | null,
])[] = [
  [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', null],
  [null, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  ['2000:ffff::', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db7:ffff::', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2001:ffff::', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['2620:4f:7fff::', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:8001::'],
  ['3ffe:ffff::', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
]

describe('which addresses are public', () => {
  for (const [before, first, last, after] of ranges) {
    test(`${first} to ${last} is not, its neighbours are`, () => {
      expect(isPublicAddress(first)).toBe(false)
      expect(isPublicAddress(last)).toBe(false)
      for (const neighbour of [before, after])
        if (neighbour !== null) expect(isPublicAddress(neighbour)).toBe(true)
    })
  }

  test('what is not a plain address is not public', () => {
    for (const text of [
      '',
      'example.com',
      '8.8.8',
      '8.8.8.8.',
      '0x8.8.8.8',
      '2606:4700::1%eth0',
      '[2606:4700::1]',
    ]) {
      expect(isPublicAddress(text)).toBe(false)
    }
  })

  test('an allowed range opens exactly that range', () => {
    const policy = createAddressPolicy(['10.1.0.0/16', 'fd00:1::/32'])
    expect(['10.1.255.255', 'fd00:1::5', '8.8.8.8'].map(policy.allows)).toEqual([true, true, true])
    expect(['10.2.0.0', 'fd00:2::5', '::ffff:10.1.0.1'].map(policy.allows)).toEqual([false, false, false])
  })

  test('an allowed address opens itself alone', () => {
    expect(
      ['10.1.2.3', '10.1.2.4', 'fd00::1', 'fd00::2'].map(createAddressPolicy(['10.1.2.3', 'fd00::1']).allows),
    ).toEqual([true, false, true, false])
  })

  test('a range that cannot be read stops the start', () => {
    for (const range of ['10.0.0.0/33', '10.0.0/8x', 'private'])
      expect(() => createAddressPolicy([range])).toThrow()
  })
})
