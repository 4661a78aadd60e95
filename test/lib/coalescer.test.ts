import { expect, test } from 'bun:test'
import { createCoalescer } from '../../src/lib/waiter.ts'

test('concurrent calls with one key share a run, other keys and later calls have their own', async () => {
  const coalesce = createCoalescer<number>()
  let runs = 0
  async function work() {
    runs += 1
    return runs
  }
  const [first, second, other] = [coalesce('a', work), coalesce('a', work), coalesce('b', work)]
  expect(await Promise.all([first, second, other])).toEqual([1, 1, 2])
  expect(await coalesce('a', work)).toBe(3)
})

test('a failure reaches everybody who waits, and is not remembered', async () => {
  const coalesce = createCoalescer<string>()
  const fail = () => Promise.reject(new Error('no'))
  const outcomes = await Promise.allSettled([coalesce('', fail), coalesce('', fail)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await coalesce('', async () => 'yes')).toBe('yes')
})
