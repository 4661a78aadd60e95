import { expect, test } from 'bun:test'
import { comparisonText } from '../../../src/cli/move/comparison-text.ts'

test('counts and sums stand side by side, and what differs is named', () => {
  const text = comparisonText([
    { table: 'keys', what: 'rows', source: '12', target: '12' },
    { table: 'payments', what: 'amount_micros', source: '9007199254740993', target: '9007199254740992' },
  ])
  expect(text.split('\n')).toEqual([
    'table     what                            source            target',
    'keys      rows                                12                12',
    'payments  sum of amount_micros  9007199254740993  9007199254740992  differs',
  ])
})
