import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDriver as openOnBun } from '../../src/store/sqlite/driver/bun.ts'
import { openDriver as openOnNode } from '../../src/store/sqlite/driver/node.ts'
import { asStoreError, StoreError } from '../../src/store/store-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-driver-'))
afterAll(() => rmSync(folder, { recursive: true }))

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    const fault = asStoreError(error, { path: 'the file', setting: 'a test' })
    return fault instanceof StoreError ? fault.kind : 'another'
  }
  return 'none'
}

describe.each([
  ['bun:sqlite', openOnBun],
  ['node:sqlite', openOnNode],
])('the driver over %s', (name, openDriver) => {
  const path = join(folder, name.replace(':', '-'))

  test('reads what it wrote, and says nothing where there is nothing', () => {
    const database = openDriver(':memory:')
    database.exec(
      'create table a (number integer, text text, bytes blob, none text); create index b on a (number)',
    )
    const insert = database.prepare('insert into a values (?1, ?2, ?3, ?4)')
    const row = { number: 2 ** 53 - 1, text: 'a\u0000ж𐍈', bytes: new Uint8Array([0, 255]), none: null }
    expect(insert.run(row.number, row.text, row.bytes, row.none).changes).toBe(1)
    expect({ ...database.prepare<typeof row>('select * from a').get() } as typeof row).toEqual(row)
    expect(database.prepare('select * from a where number = ?').get(1)).toBeUndefined()
    expect(database.prepare('select * from a where number = ?').all(1)).toEqual([])
    database.close()
  })

  test('enforces foreign keys, also of a file that exists', () => {
    const file = `${path}-keys`
    openDriver(file).close()
    const database = openDriver(file)
    database.exec('create table a (id integer primary key); create table b (a integer references a (id))')
    expect(() => database.exec('insert into b values (1)')).toThrow('FOREIGN KEY')
    database.close()
  })

  test('leaves neither a journal nor a lock when it is closed with statements alive, and closes once', () => {
    const file = `${path}-closed`
    const database = openDriver(file)
    database.exec('pragma journal_mode = wal; create table a (b integer)')
    const select = database.prepare('select * from a')
    database.prepare('insert into a values (1)').run()
    select.all()
    database.close()
    database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(() => select.all()).toThrow()
    const again = openDriver(file)
    expect(again.prepare('pragma journal_mode = delete').get()).toEqual({ journal_mode: 'delete' })
    again.close()
  })

  test('knows whether a transaction is open', () => {
    const database = openDriver(':memory:')
    database.exec('begin')
    expect(database.isInTransaction()).toBe(true)
    database.exec('rollback')
    expect(database.isInTransaction()).toBe(false)
    database.close()
  })

  test('its errors are told by kind: locked, read-only, no database, cannot be opened', () => {
    const file = `${path}-faults`
    const holder = openDriver(file)
    holder.exec('create table a (b integer); begin immediate')
    const other = openDriver(file)
    other.exec('pragma busy_timeout = 0')
    expect(faultOf(() => other.exec('begin immediate'))).toBe('locked')
    expect(faultOf(() => other.prepare('insert into a values (1)').run())).toBe('locked')
    holder.exec('commit')
    other.close()
    const reader = openDriver(file, { readOnly: true })
    expect(faultOf(() => reader.prepare('insert into a values (1)').run())).toBe('readonly')
    reader.close()
    holder.close()
    writeFileSync(`${path}-noise`, 'x'.repeat(4096))
    expect(
      faultOf(() => {
        const noise = openDriver(`${path}-noise`)
        try {
          noise.prepare('select * from sqlite_schema').all()
        } finally {
          noise.close()
        }
      }),
    ).toBe('not_sqlite')
    expect(faultOf(() => openDriver(join(folder, 'none', 'a')))).toBe('unopenable')
    expect(faultOf(() => holder.prepare('select'))).toBe('another')
  })
})
