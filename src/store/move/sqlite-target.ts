import { chmodSync, existsSync, renameSync } from 'node:fs'
import { openDriver } from '#sqlite'
import { migrate } from '../migrations.ts'
import type { Driver } from '../sqlite/driver/driver.ts'
import { openSqlite } from '../sqlite.ts'
import { asStoreError, isLocked } from '../store-error.ts'
import { type MoveNote, moveMarks } from './move-marks.ts'
import type { MoveTarget } from './move-side.ts'
import { createMoveStatements } from './move-statements.ts'
import { findTargetState } from './move-target-state.ts'
import type { MovedTable } from './moved-table.ts'
import { createSqliteSide } from './sqlite-side.ts'

/**
 * Opens a target in SQLite. Everything goes to `<path>.unfinished`, which gets the name of the database at the end, so no
 * server finds half of one.
 */
export function openSqliteTarget(path: string): MoveTarget {
  const isFinished = existsSync(path)
  const draft = isFinished ? path : `${path}.unfinished`
  const database = openDraft(draft, isFinished)
  if (isFinished && !hasTable(database, 'facts')) throw inTheWay(path)
  const side = createSqliteSide(database, draft)
  const texts = createMoveStatements('sqlite')
  const inserts = new Map<string, ReturnType<Driver['prepare']>>()

  function insertInto({ name, columns }: MovedTable) {
    const names = columns.map(texts.nameOf).join(', ')
    const places = columns.map(() => '?').join(', ')
    const insert =
      inserts.get(name) ??
      database.prepare(`insert into ${name} (${names}) values (${places}) on conflict do nothing`)
    inserts.set(name, insert)
    return insert
  }

  /** A draft that is complete but has not got its name yet is not finished. */
  async function fact(name: string): Promise<string | undefined> {
    if (isFinished) return await side.fact(name)
    if (name === moveMarks.movedFrom) return undefined
    const value = await side.fact(name)
    return name === moveMarks.unfinished ? (value ?? (await side.fact(moveMarks.movedFrom))) : value
  }

  return {
    ...side,
    name: `sqlite:${path}`,
    fact,
    async begin(wanted, tables) {
      await findTargetState({ ...side, fact }, wanted, tables)
      if (isFinished) throw inTheWay(path)
      const note: MoveNote = { ...wanted, suspended: [] }
      side.transaction(() => {
        for (const { name } of triggersOf(database)) database.exec(`drop trigger ${name}`)
        side.run({ sql: 'delete from facts where name = ?', values: [moveMarks.movedFrom] })
        side.run({
          sql: 'insert into facts (name, value) values (?, ?) on conflict do nothing',
          values: [moveMarks.unfinished, JSON.stringify(note)],
        })
      })
    },
    isEmpty: async (table) =>
      database.prepare(`select 1 as row from ${texts.from(table)} limit 1`).get() === undefined,
    async insert(table, rows) {
      const insert = insertInto(table)
      side.transaction(() => {
        for (const row of rows) insert.run(...table.columns.map(({ name }) => row[name] ?? null))
      })
    },
    remove: async (table, range) => side.run(texts.remove(table, range)),
    async finish(tables, lastNumbers) {
      side.transaction(() => {
        bringRulesBack(database)
        for (const table of tables) continueNumbers(database, table, lastNumbers.get(table.name) ?? 0)
        side.run({
          sql: 'update facts set name = ? where name = ?',
          values: [moveMarks.movedFrom, moveMarks.unfinished],
        })
      })
      inserts.clear()
      // Everything into the one file that is renamed.
      database.exec('pragma journal_mode = delete')
      database.close()
      renameSync(draft, path)
    },
    close: async () => database.close(),
  }
}

function openDraft(draft: string, isFinished: boolean): Driver {
  const file = { path: draft, setting: '--to' }
  try {
    if (isFinished) return openDriver(draft, { readOnly: true })
    const sqlite = openSqlite(draft, '--to')
    migrate(sqlite)
    sqlite.close()
    // Earlier versions made it with other rights.
    chmodSync(draft, 0o600)
    const database = openDriver(draft)
    database.exec('pragma locking_mode = exclusive; pragma foreign_keys = off; begin immediate; commit')
    return database
  } catch (error) {
    if (isLocked(asStoreError(error, file))) throw new Error(`Another move writes to ${draft}.`)
    throw asStoreError(error, file)
  }
}

function hasTable(database: Driver, name: string): boolean {
  return (
    database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined
  )
}

function inTheWay(path: string): Error {
  return new Error(
    `There is a file at ${path} already. Name another path, or move it away. Nothing was changed.`,
  )
}

interface Trigger {
  readonly name: string
  readonly sql: string
}

function triggersOf(database: Driver): readonly Trigger[] {
  return database.prepare<Trigger>(`select name, sql from sqlite_schema where type = 'trigger'`).all()
}

/** The triggers of a database of this version, and what they would have kept while they were away. */
function bringRulesBack(database: Driver): void {
  const pattern = openSqlite(':memory:')
  migrate(pattern)
  const triggers = pattern
    .prepare<Trigger>(`select name, sql from sqlite_schema where type = 'trigger'`)
    .all()
  pattern.close()
  for (const { sql } of triggers) database.exec(sql)
  database.exec(`insert into keys_search (keys_search) values ('rebuild')`)
  const [orphan] = database.prepare<{ table: string }>('pragma foreign_key_check').all()
  if (orphan !== undefined)
    throw new Error(`A row of ${orphan.table} belongs to a payment that is not there.`)
}

function continueNumbers(database: Driver, { name, numbered: [column] }: MovedTable, last: number): void {
  if (column === undefined || column.sqliteName === 'rowid' || last === 0) return
  database.prepare('delete from sqlite_sequence where name = ?').run(name)
  database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
}
