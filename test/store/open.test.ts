import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { migrate, migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import * as schema from '../../src/store/schema.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

// Processes start slowly on a busy machine.
setDefaultTimeout(60_000)

const directory = temporaryDirectory()
const migrationsDirectory = join(import.meta.dir, '../../drizzle')

describe('opening', () => {
  test('makes the file, its directory and its tables', () => {
    const store = openStore({ path: join(directory, 'deep/er/new.db'), clock: { now: () => 5 } })
    expect(store.check()).toEqual({ ok: true })
    expect(store.keyValues.get('created_at_ms')).toBe('5')
    store.close()
  })

  test('again keeps what was stored, and the day of the first time', () => {
    const path = join(directory, 'again.db')
    const first = openStore({ path, clock: { now: () => 5 } })
    first.usage.set(1, 'demo', 7)
    first.close()
    const second = openStore({ path, clock: { now: () => 6 } })
    expect(second.usage.used(1, 'demo')).toBe(7)
    expect(second.keyValues.get('created_at_ms')).toBe('5')
    second.close()
  })

  test('succeeds in every one of the processes that start together on a new file', async () => {
    const all = ['bun', 'bun', 'deno', 'deno'] as const
    const files = 60
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

  test('refuses a file that a newer version has written', () => {
    const path = join(directory, 'newer.db')
    openStore({ path }).close()
    const sqlite = openSqlite(path)
    sqlite.exec(`pragma user_version = ${migrations.length + 1}`)
    sqlite.close()
    expect(() => openStore({ path })).toThrow('newer version')
  })
})

describe('readiness', () => {
  test('ends when another process has migrated the file further', () => {
    const path = join(directory, 'ready.db')
    const store = openStore({ path })
    const other = openSqlite(path)
    other.exec(`pragma user_version = ${migrations.length + 1}`)
    other.close()
    expect(store.check()).toMatchObject({ ok: false })
    store.close()
  })
})

describe('a lock of another process', () => {
  test.each(['bun', 'deno'] as const)(
    'is told from other errors on %s, and not waited for',
    async (runtime) => {
      const path = join(directory, `locked-${runtime}.db`)
      expect(JSON.parse(await run(runtime, 'test/store/children/locked.ts', path))).toEqual([
        'locked',
        'locked',
        'locked',
        'done',
        'done',
      ])
    },
  )
})

describe('the executable', () => {
  test('finds its migrations inside itself', async () => {
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

describe('migrations', () => {
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

describe('a transaction', () => {
  test.each(['bun', 'deno'] as const)(
    'that fails leaves nothing behind on %s, even with a full disk',
    async (runtime) => {
      expect(JSON.parse(await run(runtime, 'test/store/children/transactions.ts'))).toEqual({
        answers: ['thrown', 'UNIQUE constraint failed: things.name', 'database or disk is full', 'stored'],
        left: [],
      })
    },
  )

  test('that throws leaves nothing behind', () => {
    const store = openStore({ path: join(directory, 'throws.db') })
    function work() {
      store.usage.set(1, 'demo', 1)
      throw new Error('no')
    }
    expect(() => store.transaction(work)).toThrow('no')
    expect(() => store.transaction(work, { durable: true })).toThrow('no')
    expect(store.usage.used(1, 'demo')).toBe(0)
    store.close()
  })

  test('within another one belongs to it', () => {
    const store = openStore({ path: join(directory, 'nested.db') })
    function outer() {
      return store.transaction(() => {
        store.transaction(() => store.usage.set(1, 'demo', 1))
        throw new Error('no')
      })
    }
    expect(outer).toThrow('no')
    expect(store.usage.used(1, 'demo')).toBe(0)
    store.close()
  })
})
