import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDriver } from '#sqlite'
import { asStoreError, StoreError } from '../../src/store/store-error.ts'
import type { Check } from '../support/check.ts'

export const checks: readonly Check[] = [
  {
    name: 'reads what it wrote, and says nothing where there is nothing',
    run() {
      const database = openDriver(':memory:')
      database.exec('create table a (number integer, text text, bytes blob, none text)')
      const insert = database.prepare('insert into a values (?1, ?2, ?3, ?4)')
      const row = { number: 2 ** 53 - 1, text: 'aж𐍈', bytes: new Uint8Array([0, 255]), none: null }
      assert.equal(insert.run(row.number, row.text, row.bytes, row.none).changes, 1)
      const read = database.prepare<typeof row>('select * from a').get()
      assert.deepEqual(read && { ...read, bytes: [...read.bytes] }, { ...row, bytes: [0, 255] })
      assert.equal(database.prepare('select * from a where number = ?').get(1), undefined)
      assert.deepEqual(database.prepare('select * from a where number = ?').all(1), [])
      database.close()
    },
  },
  {
    name: 'enforces foreign keys, also of a file that exists',
    run: () =>
      inFolder((folder) => {
        const file = join(folder, 'keys')
        openDriver(file).close()
        const database = openDriver(file)
        database.exec('create table a (id integer primary key); create table b (a integer references a (id))')
        assert.throws(() => database.exec('insert into b values (1)'), /FOREIGN KEY/)
        database.close()
      }),
  },
  {
    name: 'leaves neither a journal nor a lock when it is closed with statements alive, and closes once',
    run: () =>
      inFolder((folder) => {
        const file = join(folder, 'closed')
        const database = openDriver(file)
        database.exec('pragma journal_mode = wal; create table a (b integer)')
        const select = database.prepare('select * from a')
        database.prepare('insert into a values (1)').run()
        select.all()
        database.close()
        database.close()
        assert.equal(existsSync(`${file}-wal`), false)
        assert.throws(() => select.all())
        const again = openDriver(file)
        const mode = again.prepare<{ journal_mode: string }>('pragma journal_mode = delete').get()
        assert.equal(mode?.journal_mode, 'delete')
        again.close()
      }),
  },
  {
    name: 'knows whether a transaction is open',
    run() {
      const database = openDriver(':memory:')
      database.exec('begin')
      assert.equal(database.isInTransaction(), true)
      database.exec('rollback')
      assert.equal(database.isInTransaction(), false)
      database.close()
    },
  },
  {
    name: 'tells errors by kind: locked, read-only, no database, cannot be opened',
    run: () =>
      inFolder((folder) => {
        const file = join(folder, 'faults')
        const noise = join(folder, 'noise')
        const holder = openDriver(file)
        holder.exec('create table a (b integer); begin immediate')
        const other = openDriver(file)
        other.exec('pragma busy_timeout = 0')
        assert.equal(
          faultOf(() => other.exec('begin immediate')),
          'locked',
        )
        assert.equal(
          faultOf(() => other.prepare('insert into a values (1)').run()),
          'locked',
        )
        holder.exec('commit')
        other.close()
        const reader = openDriver(file, { readOnly: true })
        assert.equal(
          faultOf(() => reader.prepare('insert into a values (1)').run()),
          'readonly',
        )
        reader.close()
        holder.close()
        writeFileSync(noise, 'x'.repeat(4096))
        assert.equal(
          faultOf(() => openDriver(noise).exec('select * from sqlite_schema')),
          'not_sqlite',
        )
        assert.equal(
          faultOf(() => openDriver(join(folder, 'none', 'a'))),
          'unopenable',
        )
        assert.equal(
          faultOf(() => holder.prepare('select')),
          'another',
        )
      }),
  },
]

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-driver-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    const fault = asStoreError(error, { path: 'the file', setting: 'a test' })
    return fault instanceof StoreError ? fault.kind : 'another'
  }
  return 'none'
}
