import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { KeyRow } from '../../src/store/keys.ts'
import { openTestStore } from '../support/test-store.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const directory = temporaryDirectory()

/** Two processes' stores over one database, and two keys. */
async function twoStores(name: string) {
  const path = join(directory, `${name}.sqlite`)
  const [here, there] = [await openTestStore({ path }), await openTestStore({ path })]
  for (const id of ['mine', 'other']) await here.keys.insert({ id, name: id, createdAtMs: 0 })
  /** Counts a call that was decided by this reading of the key. */
  async function reserveBy(reading: { readonly revision: number; readonly generation: number } | undefined) {
    const { revision = 0, generation = 0 } = reading ?? {}
    const expectedRevision = { keyId: 'mine', revision, generation }
    const { granted, stale } = await here.meter.reserve({ bucket: 'key:mine', limit: 10, expectedRevision })
    return { granted, stale }
  }
  async function close() {
    await here.close()
    await there.close()
  }
  return { here, there, reserveBy, close }
}

const granted = { granted: true, stale: false }
const stale = { granted: false, stale: true }

test('a key that another process changed since it was read counts nothing', async () => {
  const { here, there, reserveBy, close } = await twoStores('changed')
  const reading = await here.keys.read('mine')
  expect(await reserveBy(reading)).toEqual(granted)
  await there.keys.update('mine', { revokedAtMs: 1 })
  expect(await reserveBy(reading)).toEqual(stale)
  expect(await reserveBy(await here.keys.read('mine'))).toEqual(granted)
  await close()
})

test('a key that has not changed goes on counting when another key is changed', async () => {
  const { here, there, reserveBy, close } = await twoStores('other')
  const reading = await here.keys.read('mine')
  await there.keys.rotate('other', 1)
  expect((await here.keys.read('mine'))?.generation).not.toBe(reading?.generation)
  expect(await reserveBy(reading)).toEqual(granted)
  await close()
})

test('a key that was changed within the same transaction as others is noticed too', async () => {
  const { here, there, reserveBy, close } = await twoStores('together')
  const reading = await here.keys.read('mine')
  await there.transaction(function* () {
    yield* there.keys.rotate('other', 1)
    yield* there.keys.update('mine', { dailyQuota: 1 })
  })
  expect(await reserveBy(reading)).toEqual(stale)
  await close()
})

test('a process that changes a key tells it after the change is stored, and one that hears of it forgets at once', async () => {
  const { here, there, close } = await twoStores('told')
  let seen: Promise<KeyRow | undefined> | undefined
  here.changes.onTell(() => {
    seen = Promise.resolve(there.keys.find('mine'))
  })
  await here.transaction(function* () {
    yield* here.keys.update('mine', { revokedAtMs: 7 })
  })
  expect((await seen)?.revokedAtMs).toBe(7)
  const before = there.changes.epoch()
  const heard = there.changes.heard()
  expect(there.changes.epoch()).toBeGreaterThan(before)
  await heard
  await close()
})

test('brands are read again as soon as another process says that it has changed one', async () => {
  const { here, there, close } = await twoStores('brands told')
  const reads: number[] = []
  there.changes.followBrands(async () => void reads.push(reads.length))
  await there.changes.check()
  await here.brands.insert({ slug: 'moon', access: 'everyone', revision: 1, createdAtMs: 1 })
  await there.changes.heard()
  expect(reads).toEqual([0, 1])
  await close()
})
