import { expect, test } from 'bun:test'
import { join } from 'node:path'
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
