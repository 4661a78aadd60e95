import { expect, test } from 'bun:test'
import { createTwoGenerationCache } from '../../src/lib/byte-cache.ts'

test('A two-generation cache keeps what is used, forgets the rest and stays within its bytes', () => {
  const cache = createTwoGenerationCache<number>(100, () => 10)
  cache.set('used', 1)
  cache.set('unused', 2)
  for (let count = 0; count < 50; count++) {
    cache.set(`other ${count}`, count)
    expect(cache.get('used')).toBe(1)
    expect(cache.bytes()).toBeLessThanOrEqual(100)
  }
  expect(cache.get('unused')).toBeUndefined()
  expect(cache.get('other 49')).toBe(49)
})

test('A two-generation cache takes nothing that would fill a half alone', () => {
  const cache = createTwoGenerationCache<string>(100, (value) => value.length)
  cache.set('large', 'x'.repeat(51))
  expect(cache.get('large')).toBeUndefined()
  expect(cache.bytes()).toBe(0)
})
