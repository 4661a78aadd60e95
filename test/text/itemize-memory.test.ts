import { edenGC, fullGC, heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { textCacheBytes } from '../../src/text/cache-bytes.ts'
import { createItemizer } from '../../src/text/itemize.ts'

const textCount = 4000

test('the items of texts that are no longer kept are gone after a small garbage collection', () => {
  const itemizer = createItemizer(textCacheBytes.items)
  function itemizeAll() {
    for (let index = 0; index < textCount; index++)
      itemizer({ text: `ten plain words ${index}`, family: 'sans', lang: undefined, direction: 'ltr' })
  }
  itemizeAll()
  fullGC()
  const before = objectCount()
  itemizeAll()
  edenGC()
  // Each text has seven items.
  expect(objectCount() - before).toBeLessThan(textCount)
})

function objectCount(): number {
  return heapStats().objectTypeCounts['Object'] ?? 0
}
