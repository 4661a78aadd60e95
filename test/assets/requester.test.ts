import { expect, test } from 'bun:test'
import { requesterOf } from '../../src/assets/unpaid-fetch.ts'

const context = { clientAddress: '192.0.2.1' }

test.each([
  ['a demo call or a ticket', { mode: 'demo' }, 'unpaid', '192.0.2.1'],
  ['a signed call', { mode: 'key', keyId: 'mk_one' }, 'key', 'mk_one'],
  ['a signed address', { mode: 'key', keyId: 'mk_one', addressDigest: 'a' }, 'key', 'mk_one'],
  [
    'a page of a site that is not counted',
    { mode: 'key', keyId: 'mk_one', siteId: 'ms_one' },
    'unpaid',
    '192.0.2.1',
  ],
  [
    'a page of a site that is counted',
    { mode: 'key', keyId: 'mk_one', siteId: 'ms_one', addressDigest: 'a' },
    'key',
    'ms_one',
  ],
  ['a paid call', { mode: 'payment' }, 'paid', 'payment'],
] as const)('a site is asked for %s on the right account', (_, grant, kind, id) => {
  expect(requesterOf(context, grant)).toMatchObject({ kind, id })
})
