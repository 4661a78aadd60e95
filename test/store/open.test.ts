import { afterAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { migrations } from '../../src/store/migrations.generated.ts'
import { openStore } from '../../src/store/open.ts'
import * as schema from '../../src/store/schema.ts'
import { migrate, openSqlite } from '../../src/store/sqlite.ts'
import { eventually } from '../support/eventually.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { runtimes, sampleSize, slowTest } from '../support/test-size.ts'
import { expectOlderPaymentKept, insertOlderPayment } from './older-payment.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const directory = temporaryDirectory()

describe('opening', () => {
  test('makes the file, its directory and its tables', async () => {
    const store = openStore({ path: join(directory, 'deep/er/new.db'), clock: { now: () => 5 } })
    expect(store.check()).toEqual({ ok: true })
    expect(await store.keyValues.get('created_at_ms')).toBe('5')
    await store.close()
  })

  test('again keeps what was stored, and the day of the first time', async () => {
    const path = join(directory, 'again.db')
    const first = openStore({ path, clock: { now: () => 5 } })
    await first.usage.set(1, 'demo', 7)
    await first.close()
    const second = openStore({ path, clock: { now: () => 6 } })
    expect(await second.usage.used(1, 'demo')).toBe(7)
    expect(await second.keyValues.get('created_at_ms')).toBe('5')
    await second.close()
  })

  test('succeeds in every one of the processes that start together on a new file', async () => {
    const all = runtimes.flatMap((runtime) => [runtime, runtime])
    const files = sampleSize(60, 20)
    // Processes need different times to start, so they agree on the moment at which each file is new.
    const firstAtMs = Date.now() + 2_000
    const answers = await Promise.all(
      all.map((runtime) =>
        run(
          runtime,
          'test/store/children/open-in-step.ts',
          join(directory, 'in-step'),
          String(files),
          String(firstAtMs),
        ),
      ),
    )
    const ready = Array.from({ length: files }, () => ({ ok: true }))
    expect(answers.map((answer) => JSON.parse(answer))).toEqual(all.map(() => ready))
  })

  test('refuses a file that a newer version has written', async () => {
    const path = join(directory, 'newer.db')
    await openStore({ path }).close()
    const sqlite = openSqlite(path)
    sqlite.exec(`pragma user_version = ${migrations.length + 1}`)
    sqlite.close()
    expect(() => openStore({ path })).toThrow('newer version')
  })
})

describe('readiness', () => {
  test('ends when another process has migrated the file further', async () => {
    const path = join(directory, 'ready.db')
    const store = openStore({ path })
    const other = openSqlite(path)
    other.exec(`pragma user_version = ${migrations.length + 1}`)
    other.close()
    expect(store.check()).toMatchObject({ ok: false })
    await store.close()
  })
})

describe('a lock of another process', () => {
  test.each(runtimes)('is told from other errors on %s, and not waited for', async (runtime) => {
    const path = join(directory, `locked-${runtime}.db`)
    const expected = ['locked', 'locked', 'locked', 'done', 'done']
    expect(JSON.parse(await run(runtime, 'test/store/children/locked.ts', path))).toEqual(expected)
  })
})

describe('the executable', () => {
  slowTest('finds its migrations inside itself', async () => {
    const program = join(directory, 'program')
    const source = join(import.meta.dir, 'children/open.ts')
    const build = Bun.spawn([process.execPath, 'build', '--compile', source, '--outfile', program], {
      stdout: 'ignore',
    })
    expect(await build.exited).toBe(0)
    const child = Bun.spawn([program, join(directory, 'compiled.db')], { cwd: directory, stdout: 'pipe' })
    expect(await new Response(child.stdout).json()).toEqual({ ok: true })
  })
})

const migrationsDirectory = join(import.meta.dir, '../../drizzle')

/** The migration that made the table of payments. */
const firstWithPayments = 2

describe('migrations', () => {
  test('bring a database of every older version up to date, and keep its payments as they were recorded', async () => {
    for (let version = firstWithPayments; version < migrations.length; version += 1) {
      const path = join(temporaryDirectory(), 'older.sqlite')
      const older = openSqlite(path)
      for (const migration of migrations.slice(0, version)) older.exec(migration)
      older.exec(`pragma user_version = ${version}`)
      older.exec(insertOlderPayment)
      older.close()
      const store = await openStore({ path })
      await expectOlderPaymentKept(store)
      await store.close()
    }
  })

  test('in the program are those in the directory, in its order', () => {
    const files = readdirSync(migrationsDirectory)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    expect(migrations).toEqual(files.map((name) => readFileSync(join(migrationsDirectory, name), 'utf8')))
  })

  test('make the tables of the schema, column by column', () => {
    const sqlite = openSqlite(':memory:')
    migrate(sqlite)
    for (const table of Object.values(schema)) {
      const { name, columns, indexes } = getTableConfig(table)
      const made = sqlite
        .prepare<Column>(`select name, lower(type) as type, "notnull" from pragma_table_info('${name}')`)
        .all()
      const told = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notnull: Number(column.notNull),
      }))
      expect({ name, columns: made.map((column) => ({ ...column })) }).toEqual({ name, columns: told })
      const indexNames = sqlite
        .prepare<{ name: string }>(`select name from pragma_index_list('${name}') where origin = 'c'`)
        .all()
        .map((row) => row.name)
      expect(indexNames.sort()).toEqual(indexes.map((index) => index.config.name).sort())
    }
    sqlite.close()
  })
})

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
}

const damageDirectory = mkdtempSync(join(tmpdir(), 'mintmark-damage-'))
afterAll(() => rmSync(damageDirectory, { recursive: true, force: true }))

test('once the file is found to be damaged nothing more is stored, also where the damage does not reach', async () => {
  const path = join(damageDirectory, 'damaged.db')
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
    const expected = ['filler', 'mintmark.sqlite', 'mintmark.sqlite-shm', 'mintmark.sqlite-wal']
    expect(readdirSync(disk.path).toSorted()).toEqual(expected)
    disk.empty()
    await eventually(async () => (await store.health.probe()).ok)
    await store.close()
  },
)
