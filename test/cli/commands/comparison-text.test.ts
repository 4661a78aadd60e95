import { expect, test } from 'bun:test'
import { comparisonText } from '../../../src/cli/commands/move.ts'

test('counts and digests stand side by side, and what differs is named', () => {
  const text = comparisonText([
    {
      table: 'keys',
      source: { rows: 12, sha256: 'a'.repeat(64) },
      target: { rows: 12, sha256: 'a'.repeat(64) },
    },
    {
      table: 'payments',
      source: { rows: 3, sha256: 'b'.repeat(64) },
      target: { rows: 3, sha256: 'c'.repeat(64) },
    },
  ])
  expect(text.split('\n')).toEqual([
    'table     rows  there  digest            there',
    'keys      12    12     aaaaaaaaaaaaaaaa  aaaaaaaaaaaaaaaa',
    'payments  3     3      bbbbbbbbbbbbbbbb  cccccccccccccccc  differs',
  ])
})
