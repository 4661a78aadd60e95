import { expect, test } from 'bun:test'
import { createTwoGenerationCache } from '../../src/lib/two-generation-cache.ts'

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

test('Sections of a two-generation cache have keys of their own, and share its bytes and generations', () => {
  const cache = createTwoGenerationCache<number>(100, () => 10)
  const [one, other, again] = [cache.section('one'), cache.section('other'), cache.section('one')]
  one.set('key', 1)
  other.set('key', 2)
  expect([one.get('key'), again.get('key'), cache.get('key')]).toEqual([1, 1, undefined])
  for (let count = 0; count < 50; count++) {
    cache.section(`section ${count}`).set('key', count)
    expect(one.get('key')).toBe(1)
    expect(cache.bytes()).toBeLessThanOrEqual(100)
  }
  expect(other.get('key')).toBeUndefined()
  expect(again.get('key')).toBe(1)
  other.set('key', 3)
  expect(cache.section('other').get('key')).toBe(3)
})
