import { expect, test } from 'bun:test'
import { memo } from '../../src/lib/memo.ts'

test('A memo makes each result once, and holds a bounded number of them', () => {
  let calls = 0
  const double = memo((value: number) => {
    calls++
    return value * 2
  })
  expect([double(2), double(2), double(3)]).toEqual([4, 4, 6])
  expect(calls).toBe(2)
  for (let value = 0; value < 10_000; value++) expect(double(value)).toBe(value * 2)
  calls = 0
  double(2)
  expect(calls).toBe(1)
})
