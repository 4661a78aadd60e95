import { expect, test } from 'bun:test'
import { createByteCache, createTwoGenerationCache } from '../../src/lib/byte-cache.ts'
import { loadedOnce, memo } from '../../src/lib/memo.ts'
import { createCoalescer } from '../../src/lib/waiter.ts'

function cacheOf(bytesMax: number) {
  return createByteCache<Uint8Array>(bytesMax, (bytes) => bytes.byteLength)
}
function kilobyte() {
  return new Uint8Array(1_000)
}

test('the cache never holds more bytes than it may, and drops what was used longest ago', () => {
  const cache = cacheOf(10_000)
  for (let entry = 0; entry < 100; entry += 1) {
    cache.set(`entry ${entry}`, kilobyte())
    cache.get('entry 0')
    expect(cache.stats().bytes).toBeLessThanOrEqual(10_000)
  }
  expect(cache.get('entry 0')).toBeDefined()
  expect(cache.get('entry 1')).toBeUndefined()
  expect(cache.get('entry 99')).toBeDefined()
})

test('a value larger than the whole cache is made and not kept', async () => {
  const cache = cacheOf(500)
  expect(await cache.getOrCreate('large', kilobyte)).toHaveLength(1_000)
  expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 })
})

test('equal calls in flight make their value once', async () => {
  const cache = cacheOf(10_000)
  let made = 0
  async function make() {
    made += 1
    await Bun.sleep(1)
    return kilobyte()
  }
  const values = await Promise.all([1, 2, 3].map(() => cache.getOrCreate('same', make)))
  expect([made, new Set(values).size]).toEqual([1, 1])
  expect(cache.stats()).toMatchObject({ entries: 1, misses: 1, hits: 2 })
})

test('a failure reaches everyone who waits for it, and the next call tries again', async () => {
  const cache = cacheOf(10_000)
  async function fail(): Promise<Uint8Array> {
    await Bun.sleep(1)
    throw new Error('no')
  }
  const answers = await Promise.allSettled([cache.getOrCreate('same', fail), cache.getOrCreate('same', fail)])
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected'])
  expect(await cache.getOrCreate('same', kilobyte)).toHaveLength(1_000)
})

test('a maker that throws at once does not stand in the way of the next call', async () => {
  const cache = cacheOf(10_000)
  function fail(): Uint8Array {
    throw new Error('no')
  }
  expect(() => cache.getOrCreate('same', fail)).toThrow('no')
  await Bun.sleep(1)
  expect(await cache.getOrCreate('same', kilobyte)).toHaveLength(1_000)
})

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

test('a part that many ask for at once is loaded once, and is used at once after that', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => `part ${++loads}`)
  const first = await Promise.all([withPart((part) => part), withPart((part) => part)])
  expect([first, withPart((part) => part)]).toEqual([['part 1', 'part 1'], 'part 1'])
})

test('all who wait hear that a part could not be loaded, and the next one tries again', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('Too many open files.')
    return 'part'
  })
  const failed = await Promise.allSettled([withPart((part) => part), withPart((part) => part)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([await withPart((part) => part), loads]).toEqual(['part', 2])
})

test('what the use of a part throws does not unload it', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => ++loads)
  await expect(
    (async () =>
      await withPart(() => {
        throw new Error('It cannot be drawn.')
      }))(),
  ).rejects.toThrow('It cannot be drawn.')
  expect(withPart((part) => part)).toBe(1)
})

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
