import { createHash } from 'node:crypto'
import { movedToName, placeAndTime } from '../key-values.ts'

/** One of the two databases of a move, which nobody else writes to until it is closed. */
export interface MoveSide {
  readonly kind: 'sqlite' | 'postgres'
  /** For messages: without user and password. */
  readonly name: string
  /** The columns of every table. */
  readonly catalog: readonly CatalogColumn[]
  /** A value of this installation; undefined without one. */
  fact(name: string): Promise<string | undefined>
  count(table: MovedTable): Promise<number>
  /** All rows in the order of their keys, as many at a time as fit into memory. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
  close(): void
}

export interface MoveSource extends MoveSide {
  /** The highest number that the database has given to a row of the table; 0 before the first. */
  lastNumber(table: MovedTable): Promise<number>
  /** Notes where everything is now, so that no server starts on this database again. */
  noteMovedTo(note: string): Promise<void>
}

/** An empty database, whose rules are suspended so that rows can come in any order. Nothing is stored until `commit`. */
export interface MoveTarget extends MoveSide {
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** Brings the rules back. Rejects if the rows break one. */
  finish(tables: readonly MovedTable[], lastNumbers: ReadonlyMap<string, number>): Promise<void>
  commit(): Promise<void>
}

/** A table that both databases have. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  /** The columns of the primary key, by which rows are ordered. */
  readonly key: readonly MovedColumn[]
  /** The column that is numbered by the database itself. */
  readonly numbered: MovedColumn | undefined
  /** How many rows are read and written at once: some have files of megabytes. */
  readonly rowsAtOnce: number
}

export interface MovedColumn {
  readonly name: string
  /** `rowid` for a number that SQLite gives to each row by itself. */
  readonly sqliteName: string
  readonly postgresType: string
}

/** Values by the names of the columns. */
export type MovedRow = Readonly<Record<string, null | number | string | Uint8Array>>

/** A column in the database's catalogue. */
export interface CatalogColumn {
  readonly table: string
  readonly column: string
  /** The position in the primary key, counted from 1; 0 outside of it. */
  readonly keyPosition: number
  /** PostgreSQL's name of the type; empty in SQLite. */
  readonly type: string
  /** Whether the database numbers the rows. */
  readonly isNumbered: boolean
}

/** A table in both databases. */
export interface ComparedTable {
  readonly table: string
  readonly source: TableDigest
  readonly target: TableDigest
}

interface TableDigest {
  readonly rows: number
  readonly sha256: string
}

interface MoveOptions {
  readonly source: MoveSource
  readonly target: MoveTarget
  readonly nowMs: number
  /** Called with the number of rows that are to be copied and then compared; what it returns is called as that is done. */
  readonly onBegin: (rows: number) => (rows: number) => void
}

/**
 * Copies everything from one database into another and compares both. The source keeps its data; it gets a note, so that
 * no server goes on counting there. If any table differs, neither database is changed.
 */
export async function move({
  source,
  target,
  nowMs,
  onBegin,
}: MoveOptions): Promise<readonly ComparedTable[]> {
  const tables = source.kind === 'postgres' ? matchTables(source, target) : matchTables(target, source)
  const movedTo = await source.fact(movedToName)
  // A move that was killed at its very end has left the note, and nothing in its target.
  if (movedTo !== undefined && !movedTo.endsWith(` ${target.name}`))
    throw new Error(`${source.name} was moved to ${placeAndTime(movedTo)}, and is older than that.`)
  let rows = 0
  for (const table of tables) rows += await source.count(table)
  const onRows = onBegin(2 * rows)
  const sent = new Map<MovedTable, TableDigest>()
  const lastNumbers = new Map<string, number>()
  for (const table of tables) {
    sent.set(table, await digestOf(table, source, onRows, (batch) => target.insert(table, batch)))
    lastNumbers.set(table.name, await source.lastNumber(table))
  }
  await target.finish(tables, lastNumbers)
  const compared: ComparedTable[] = []
  for (const [table, digest] of sent)
    compared.push({ table: table.name, source: digest, target: await digestOf(table, target, onRows) })
  if (!compared.every(isSame)) return compared
  // In this order there is no moment at which servers could start on both.
  await source.noteMovedTo(`${nowMs} ${target.name}`)
  await target.commit()
  return compared
}

export function isSame({ source, target }: ComparedTable): boolean {
  return source.rows === target.rows && source.sha256 === target.sha256
}

/**
 * Counts the rows of a table, with a SHA-256 that is equal in both databases for equal rows: each value is written with
 * its length before it, so no two lists of rows look the same.
 */
async function digestOf(
  table: MovedTable,
  side: MoveSide,
  onRows: (rows: number) => void,
  use?: (rows: readonly MovedRow[]) => Promise<void>,
): Promise<TableDigest> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of side.rows(table)) {
    await use?.(rows)
    let text = ''
    for (const row of rows)
      for (const { name } of table.columns) {
        const value = row[name] ?? null
        const written = value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value
        text += written === null ? '~' : `${Buffer.byteLength(String(written))}:${written}`
      }
    hash.update(text)
    count += rows.length
    onRows(rows.length)
  }
  return { rows: count, sha256: hash.digest('hex') }
}

/** Tables that follow from others, or matter only to processes that run. */
const ofOneDatabase = /^(sqlite_.*|keys_search.*|mintmark_schema|quota_slots|generations|commits|leases)$/
const types: ReadonlySet<string> = new Set(['bigint', 'integer', 'smallint', 'text', 'bytea'])
const rowsAtOnce = 2_000
const rowsWithBytesAtOnce = 20

/** Matches the tables of both databases. Throws when one of them has what the other could not take. */
export function matchTables(
  postgres: Pick<MoveSide, 'catalog'>,
  sqlite: Pick<MoveSide, 'catalog'>,
): readonly MovedTable[] {
  const names = new Set([...movedNames(postgres.catalog), ...movedNames(sqlite.catalog)])
  return [...names].map((name) => {
    const [theirs, ours] = [postgres, sqlite].map(({ catalog }) =>
      catalog.filter(({ table }) => table === name),
    )
    return matchTable(name, theirs ?? [], ours ?? [])
  })
}

/** The names of the tables that are moved. */
export function movedNames(catalog: readonly CatalogColumn[]): readonly string[] {
  return [...new Set(catalog.map(({ table }) => table))].filter((name) => !ofOneDatabase.test(name))
}

function matchTable(
  name: string,
  postgres: readonly CatalogColumn[],
  sqlite: readonly CatalogColumn[],
): MovedTable {
  if (postgres.length === 0 || sqlite.length === 0) throw unknown(`the table ${name}`)
  const sqliteNames = new Set(sqlite.map(({ column }) => column))
  // Parts of one count, of which only the sum is moved.
  const moved = postgres.filter(({ column }) => name !== 'traffic_days' || column !== 'shard')
  const missing = sqlite.find(({ column }) => !moved.some((each) => each.column === column))
  if (missing !== undefined) throw unknown(`the column ${name}.${missing.column}`)
  const pairs = moved.map((catalog) => {
    const isInBoth = sqliteNames.has(catalog.column)
    if ((!isInBoth && !catalog.isNumbered) || !types.has(catalog.type))
      throw unknown(`the column ${name}.${catalog.column}`)
    const sqliteName = isInBoth ? catalog.column : 'rowid'
    return { catalog, column: { name: catalog.column, sqliteName, postgresType: catalog.type } }
  })
  const key = pairs.filter(({ catalog }) => catalog.keyPosition > 0)
  return {
    name,
    columns: pairs.map(({ column }) => column),
    key: key
      .toSorted((one, other) => one.catalog.keyPosition - other.catalog.keyPosition)
      .map(({ column }) => column),
    numbered: pairs.find(({ catalog }) => catalog.isNumbered)?.column,
    rowsAtOnce: moved.some(({ type }) => type === 'bytea') ? rowsWithBytesAtOnce : rowsAtOnce,
  }
}

function unknown(what: string): Error {
  return new Error(
    `This version does not know how to move ${what} between SQLite and PostgreSQL. Nothing was changed.`,
  )
}
