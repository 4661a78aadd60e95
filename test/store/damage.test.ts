import { afterAll, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'

const directory = mkdtempSync(join(tmpdir(), 'mintmark-damage-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('once the file is found to be damaged nothing more is stored, also where the damage does not reach', async () => {
  const path = join(directory, 'damaged.db')
  const store = openStore({ path })
  store.startServing()
  await store.usage.set(1, 'demo', 1)
  overwriteAllButTheFirstPage(path)
  expect(await store.health.probe()).toMatchObject({ ok: false })
  // This connection's cached pages still look intact, so some writes would succeed if nothing refused them.
  const write = async () => await store.keyValues.set('issued', 'yes')
  await expect(write()).rejects.toThrow('is damaged')
  await expect(store.transaction(function* () {})).rejects.toThrow('is damaged')
  await store.close()
})

/** With what no page of a database looks like. The journal too, or its pages would stand in for those of the file. */
function overwriteAllButTheFirstPage(path: string): void {
  for (const file of [path, `${path}-wal`]) {
    const { size } = statSync(file)
    const firstPage = 4096
    if (size <= firstPage) continue
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, Buffer.alloc(size - firstPage, 0xa5), 0, size - firstPage, firstPage)
    closeSync(descriptor)
  }
}
