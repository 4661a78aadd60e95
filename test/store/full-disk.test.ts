import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '../../src/store/open.ts'
import { eventually } from '../support/eventually.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const disk = mountSmallDisk()
afterAll(() => disk?.remove())

test.skipIf(disk === undefined)(
  'a store whose disk is full is not ready, though its journal has room for a small write, and is again when there is room',
  async () => {
    if (disk === undefined) return
    const path = join(disk.path, 'mintmark.sqlite')
    const store = openStore({ path })
    for (let index = 0; index < 50; index += 1) await store.keyValues.set(`name ${index}`, 'x'.repeat(2_000))
    // From now on the journal is written from its beginning: for some time it need not grow.
    const other = new DatabaseSync(path)
    other.exec('pragma wal_checkpoint(restart)')
    other.close()
    disk.fill()
    await store.keyValues.set('small', 'x')
    const check = await store.health.probe()
    expect(check).toMatchObject({
      ok: false,
      summary: 'the database cannot grow, because the disk or its quota is full',
    })
    expect(readdirSync(disk.path).toSorted()).toEqual([
      'filler',
      'mintmark.sqlite',
      'mintmark.sqlite-shm',
      'mintmark.sqlite-wal',
    ])
    disk.empty()
    await eventually(async () => (await store.health.probe()).ok)
    await store.close()
  },
)
