import { expect, test } from 'bun:test'
import { createByteCache } from '../../src/lib/byte-cache.ts'

function cacheOf(bytesMax: number) {
  return createByteCache<Uint8Array>({ bytesMax, sizeOf: (bytes) => bytes.byteLength })
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
  expect(made).toBe(1)
  expect(new Set(values).size).toBe(1)
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
