import { expect, test } from 'bun:test'
import type { WebPicture } from '../../src/assets/web-pictures.ts'
import { createPictureStore } from '../../src/store/page-store.ts'
import { prune } from '../../src/store/prune.ts'
import { openTestStore } from '../support/test-store.ts'

const dayMs = 86_400_000
const startMs = Date.now()

function picture(bytes: number): WebPicture {
  const grid = { columns: 1, rows: 1, cells: [] }
  return { key: 'a'.repeat(64), widthPx: 9, heightPx: 9, grid, jpeg: new Uint8Array(bytes).fill(7) }
}

function rowOf(name: string, atMs: number) {
  const facts = JSON.stringify({ version: 1, key: name })
  return { digest: name, url: `https://example.com/${name}`, facts, etag: null, lastModified: null, atMs }
}

async function kept(store: Awaited<ReturnType<typeof openTestStore>>, names: readonly string[]) {
  await store.deferred.flush()
  const found = await Promise.all(
    names.map(async (name) => ((await store.webPictures.has(name)) ? name : '')),
  )
  return found.filter(Boolean).join('')
}

const letters = [...'abcdefghijkl']

test('the store keeps so many pictures, and beyond that those that were used last', async () => {
  const store = await openTestStore({ path: ':memory:' })
  const pictures = createPictureStore(store, { countMax: 10 })
  for (const [index, name] of letters.slice(0, 10).entries())
    pictures.setPicture(rowOf(name, startMs + index), picture(10))
  pictures.addUse('a', 1, startMs + 100)
  for (const [index, name] of ['k', 'l'].entries())
    pictures.setPicture(rowOf(name, startMs + 200 + index), picture(10))
  expect(await kept(store, letters)).toBe('adefghijkl')
  expect(await store.webSources.count('picture')).toBe(10)
  await store.close()
})

test('the store keeps so many bytes of pictures, one that grows included', async () => {
  const store = await openTestStore({ path: ':memory:' })
  const pictures = createPictureStore(store, { bytesMax: 1_000 })
  for (const [index, name] of letters.slice(0, 6).entries())
    pictures.setPicture(rowOf(name, startMs + index), picture(150))
  pictures.setPicture(rowOf('g', startMs + 10), picture(700))
  await store.deferred.flush()
  expect((await store.webPictures.sums()).bytes).toBeLessThanOrEqual(1_000)
  expect(await kept(store, letters)).toContain('g')
  const grown = { ...rowOf('g', startMs + 20), facts: '{"version":1,"key":"other"}' }
  pictures.setPicture(grown, picture(990))
  expect(await kept(store, letters)).toBe('g')
  expect((await pictures.picture('g'))?.jpeg).toHaveLength(990)
  await store.close()
})

test('facts of a picture whose bytes are lost are not stored, so that facts and bytes go together', async () => {
  const store = await openTestStore({ path: ':memory:' })
  const pictures = createPictureStore(store)
  pictures.setPicture(rowOf('a', startMs), picture(10))
  pictures.setPicture({ ...rowOf('a', startMs + 1), facts: '{"version":1,"key":"new"}' }, undefined)
  pictures.setPicture(rowOf('b', startMs), undefined)
  await store.deferred.flush()
  expect([(await pictures.find('a'))?.facts, await pictures.find('b')]).toEqual([
    rowOf('a', startMs).facts,
    undefined,
  ])
  await store.close()
})

test('a picture that is gone for more than 30 days is removed, with its bytes', async () => {
  const store = await openTestStore({ path: ':memory:' })
  const pictures = createPictureStore(store)
  for (const [name, goneDays] of [
    ['a', 31],
    ['b', 29],
  ] as const) {
    pictures.setPicture(rowOf(name, startMs - 40 * dayMs), picture(10))
    pictures.setFailed({ ...rowOf(name, startMs - goneDays * dayMs), reason: 'dns_error' })
  }
  await store.deferred.flush()
  await prune(store, { now: () => startMs })
  expect(await kept(store, letters)).toBe('b')
  await store.close()
})
