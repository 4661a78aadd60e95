import { expect, test } from 'bun:test'
import { addressBlock, clientBlocks } from '../../src/lib/client-addresses.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1'],
  ['2001:DB8:0:1::5', '2001:db8:0:1'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:0db8::1:a:b:c:d', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['64:ff9b:1:2:3::192.0.2.1', '64:ff9b:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('the subscriber of %s is %s', (address, block) => {
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
