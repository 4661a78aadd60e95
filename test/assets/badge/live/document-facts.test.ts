import { expect, test } from 'bun:test'
import { foundFacts } from '../../../../src/assets/badge/live/document-facts.ts'
import { FetchFailure } from '../../../../src/web/fetch-failure.ts'

test('reads no more of what a query finds than a badge shows: one long text can be found thousands of times', () => {
  const text = 'é  '.repeat(20_000)
  const { value } = foundFacts(Array.from({ length: 1_000_000 }, () => text))
  expect([...value]).toHaveLength(200)
  expect(value).toStartWith('é é é')
})

test('shows nothing where one of the values is no scalar, wherever it stands', () => {
  const texts = Array.from({ length: 1_000 }, () => 'a')
  for (const wrong of [null, [], {}, '']) expect(() => foundFacts([...texts, wrong])).toThrow(FetchFailure)
  expect(() => foundFacts(['a', '\u0000', 'b'])).toThrow(FetchFailure)
  expect(() => foundFacts([])).toThrow(FetchFailure)
  expect(foundFacts(['a', 1, true]).value).toBe('a, 1, true')
})
