import { existsSync, renameSync, rmSync } from 'node:fs'
import { openDriver } from '#sqlite'
import { movedToName } from '../key-values.ts'
import type { Driver } from '../sqlite/driver/driver.ts'
import { migrate, openSqlite, refuseOtherVersion } from '../sqlite.ts'
import { asStoreError, type DatabaseFile, isLocked } from '../store-error.ts'
import type { MovedRow, MovedTable, MoveSide, MoveSource, MoveTarget } from './move.ts'

/** Opens a database to move it elsewhere. Until it is closed nobody else can have it open. Throws if it cannot be moved. */
export function openSqliteSource(path: string): MoveSource {
  if (!existsSync(path))
    throw new Error(`There is no database at ${path} (DATA_DIR, DATABASE_URL or --from).`)
  const file = { path, setting: 'DATA_DIR, DATABASE_URL or --from' }
  return open(file, (database, guarded) => {
    refuseOtherVersion(database, file)
    try {
      database.exec('pragma busy_timeout = 2000')
      // The lock stays after the transaction. Nobody else can have the file open then, not even to read.
      guarded(() => database.exec('pragma locking_mode = exclusive; begin immediate; commit'))
    } catch (error) {
      if (!isLocked(error)) throw error
      throw new Error(`The database ${path} is open in another process. Stop the servers first.`)
    }
    return {
      ...createSide(database, path, guarded),
      async lastNumber({ name, numbered }) {
        if (numbered === undefined) return 0
        const highest = `select max(${numbered.sqliteName}) as number from ${name}`
        const given = `select max(seq) as number from sqlite_sequence where name = '${name}'`
        const numbers = [highest, given].map(
          (sql) => database.prepare<{ number: number | null }>(sql).get()?.number ?? 0,
        )
        return Math.max(...numbers)
      },
      async noteMovedTo(note) {
        database.exec('pragma synchronous = full')
        const sql = 'insert into facts values (?, ?) on conflict do update set value = excluded.value'
        guarded(() => database.prepare(sql).run(movedToName, note))
      },
    }
  })
}

/** Everything goes to `<path>.unfinished`, which is renamed at the end, so no server finds half of a database. */
export function openSqliteTarget(path: string): MoveTarget {
  if (existsSync(path))
    throw new Error(
      `There is a file at ${path} already. Name another path, or move it away. Nothing was changed.`,
    )
  const draft = `${path}.unfinished`
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true })
  const sqlite = openSqlite(draft, '--to')
  migrate(sqlite)
  sqlite.close()
  return open({ path: draft, setting: '--to' }, (database, guarded) => {
    database.exec('pragma journal_mode = delete; pragma foreign_keys = off; begin immediate')
    const triggers = database
      .prepare<{ name: string; sql: string }>(`select name, sql from sqlite_schema where type = 'trigger'`)
      .all()
    for (const { name } of triggers) database.exec(`drop trigger ${name}`)
    return {
      ...createSide(database, path, guarded),
      async insert({ name, columns }, rows) {
        const places = columns.map(() => '?').join(', ')
        const names = columns.map(({ sqliteName }) => sqliteName).join(', ')
        const insert = database.prepare(`insert into ${name} (${names}) values (${places})`)
        guarded(() => {
          for (const row of rows) insert.run(...columns.map((column) => row[column.name] ?? null))
        })
      },
      async finish(lastNumbers) {
        for (const { sql } of triggers) database.exec(sql)
        database.exec(`insert into keys_search (keys_search) values ('rebuild')`)
        const [orphan] = database.prepare<{ table: string }>('pragma foreign_key_check').all()
        if (orphan !== undefined)
          throw new Error(`A row of ${orphan.table} belongs to a payment that is not there.`)
        for (const [{ name, numbered }, last] of lastNumbers) {
          if (numbered === undefined || numbered.sqliteName === 'rowid' || last === 0) continue
          database.prepare('delete from sqlite_sequence where name = ?').run(name)
          database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
        }
      },
      async commit() {
        guarded(() => database.exec('commit'))
        database.close()
        renameSync(draft, path)
      },
    }
  })
}

type Guarded = <T>(work: () => T) => T

function open<T>(file: DatabaseFile, work: (database: Driver, guarded: Guarded) => T): T {
  const guarded: Guarded = (guardedWork) => {
    try {
      return guardedWork()
    } catch (error) {
      throw asStoreError(error, file)
    }
  }
  const database = guarded(() => openDriver(file.path))
  try {
    return guarded(() => work(database, guarded))
  } catch (error) {
    database.close()
    throw error
  }
}

function createSide(database: Driver, path: string, guarded: Guarded): MoveSide {
  return {
    kind: 'sqlite',
    name: `sqlite:${path}`,
    fact: async (name) =>
      database.prepare<{ value: string }>('select value from facts where name = ?').get(name)?.value,
    count: async (table) =>
      database.prepare<{ count: number }>(`select count(*) as count from ${from(table)}`).get()?.count ?? 0,
    async *rows(table) {
      const columns = table.columns.map(({ name, sqliteName }) => `${sqliteName} as "${name}"`).join(', ')
      const all = database.iterate<MovedRow>(`select ${columns} from ${from(table)} order by ${table.key}`)
      for (;;) {
        const rows = guarded(() => nextOf(all, table.rowsAtOnce))
        if (rows.length > 0) yield rows
        if (rows.length < table.rowsAtOnce) return
      }
    },
    close: () => database.close(),
  }
}

function nextOf<T>(iterator: Iterator<T>, count: number): readonly T[] {
  const found: T[] = []
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    found.push(next.value)
    if (found.length === count) break
  }
  return found
}

function from({ name }: MovedTable): string {
  return name === 'facts' ? `(select * from facts where name <> '${movedToName}') as facts` : name
}
