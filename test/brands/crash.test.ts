import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { backUp, restore } from '../../src/store/backup.ts'
import { openStore } from '../../src/store/open.ts'
import { fontBytes } from '../../src/text/brand-fonts/brand-font.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { bytesOf, form, temporaryBrands } from './support/temporary-brands.ts'

// Over a SQLite file: in PostgreSQL a transaction that was cut off is gone by itself.

const directory = temporaryDirectory()
/** How often two processes are killed while they save. */
const rounds = 5

/** All that a process prints; `noteFirst` is called with the first of it. */
async function textOf(output: ReadableStream<Uint8Array>, noteFirst: () => void): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of output) {
    parts.push(part)
    noteFirst()
  }
  return Buffer.concat(parts).toString()
}

test('after a kill at any moment each revision has its files, and none that was reported is lost', async () => {
  const path = join(directory, 'killed.db')
  let reported = 0
  for (let round = 0; round < rounds; round += 1) {
    const children = ['one', 'other'].map((name) =>
      Bun.spawn([process.execPath, join(import.meta.dir, 'children/save-until-killed.ts'), path, name], {
        stdout: 'pipe',
        stderr: 'inherit',
      }),
    )
    const first = Promise.withResolvers<void>()
    const outputs = children.map(({ stdout }) => textOf(stdout, first.resolve))
    await first.promise
    await Bun.sleep(150 * round)
    for (const child of children) child.kill('SIGKILL')
    const numbers = (await Promise.all(outputs)).flatMap((text) => text.split('\n').map(Number))
    reported = Math.max(reported, ...numbers)
  }
  const { brands } = await temporaryBrands({ store: openStore({ path }) })
  const newest = brands.find('acme')?.revision ?? 0
  expect(reported).toBeGreaterThan(0)
  expect(newest).toBeGreaterThanOrEqual(reported)
  expect((await brands.history('acme', 100_000)).map(({ revision }) => revision)).toEqual(
    Array.from({ length: newest }, (_, index) => newest - index),
  )
  for (let revision = 1; revision <= newest; revision += 1) {
    const { logo, textFont } = await brands.load('acme', revision)
    expect([logo?.kind, textFont && (await fontBytes(textFont)).length]).toEqual(['pixels', 500_000])
  }
})

test('a backup has brands with their files, and a restore brings them back', async () => {
  const path = join(directory, 'backed-up.db')
  const { brands, store } = await temporaryBrands({ store: openStore({ path }) })
  await brands.save(form({ name: 'Acme', slug: 'acme', theme: 'grid' }, { logo: bytesOf('a logo') }))
  const before = await brands.load('acme', 1)
  const copy = backUp(path, join(directory, 'copies'), Date.now())
  await brands.save(form({ theme: 'paper' }, { logo: bytesOf('another') }), 'acme')
  await store.close()
  restore(copy, path, Date.now())
  const again = await temporaryBrands({ store: openStore({ path }) })
  expect(again.brands.find('acme')?.revision).toBe(1)
  expect(await again.brands.load('acme', 1)).toEqual(before)
  // The next save makes another revision 2 than the lost one, and its cards get another ETag.
  const lost = brands.find('acme')?.digests[1]
  await again.brands.save(form({ theme: 'poster' }), 'acme')
  expect(again.brands.find('acme')?.digests[1]).not.toBe(lost)
})
