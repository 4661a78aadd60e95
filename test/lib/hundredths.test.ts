import { expect, test } from 'bun:test'
import { inHundredths } from '../../src/lib/human-format.ts'

test('a duration is written as a number with at most two decimals, however long it is', () => {
  expect([0, 0.004, 0.005, 0.07, 0.1, 1, 9.99, 9.996, 10, 1234.567].map(inHundredths)).toEqual([
    '0',
    '0',
    '0.01',
    '0.07',
    '0.1',
    '1',
    '9.99',
    '10',
    '10',
    '1234.57',
  ])
})
