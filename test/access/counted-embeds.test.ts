import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { createCountedEmbeds } from '../../src/access/counted-embeds.ts'
import { slowTest } from '../support/test-size.ts'

const urls = 1_000_000
const heapBytesMax = 40 * 2 ** 20

slowTest('a million embed URLs of 2 KB take bounded memory, and the latest are known', () => {
  const embeds = createCountedEmbeds()
  const before = heapBytes()
  for (let number = 0; number < urls; number += 1) {
    // One piece, as a URL that was received: a part of it would keep the whole.
    const url = Buffer.from(`${'x'.repeat(2_000)}${String(number).padStart(64, '0')}`).toString('latin1')
    embeds.add(1, url.slice(2_032), 7)
  }
  expect(heapBytes() - before).toBeLessThan(heapBytesMax)
  function has(number: number) {
    return embeds.has(1, String(number).padStart(32, '0'), 7)
  }
  expect([has(0), has(urls - 1), has(urls - 20_000)]).toEqual([false, true, true])
})

function heapBytes(): number {
  Bun.gc(true)
  return heapStats().heapSize
}

test('another day and another epoch know nothing of it', () => {
  const embeds = createCountedEmbeds(10)
  embeds.add(1, 'a', 7)
  expect([embeds.has(1, 'a', 7), embeds.has(2, 'a', 7), embeds.has(1, 'a', 8)]).toEqual([true, false, false])
  embeds.add(1, 'a', 8)
  expect([embeds.has(1, 'a', 7), embeds.has(1, 'a', 8)]).toEqual([false, true])
  embeds.remove('a')
  expect(embeds.has(1, 'a', 8)).toBe(false)
  embeds.add(2, 'b', 8)
  expect([embeds.has(1, 'a', 8), embeds.has(2, 'b', 8)]).toEqual([false, true])
})
