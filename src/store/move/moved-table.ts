/** A table that both databases have, as a move reads and writes it. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  /** The columns of the primary key, by which rows are ordered. */
  readonly key: readonly MovedColumn[]
  /** Columns that are numbered by the database itself. */
  readonly numbered: readonly MovedColumn[]
}

export interface MovedColumn {
  readonly name: string
  /** `rowid` for a number that SQLite gives to each row by itself. */
  readonly sqliteName: string
  readonly postgresType: string
  readonly isBytes: boolean
}

export type MoveValue = null | number | string | Uint8Array
/** Values by the names of the columns. */
export type MovedRow = Readonly<Record<string, MoveValue>>
/** The values of a row's primary key. */
export type RowKey = readonly MoveValue[]

/** Rows whose key comes after one and not after another; without a bound, all on that side. */
export interface RowRange {
  readonly after?: RowKey | undefined
  readonly upTo?: RowKey | undefined
}

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

/** Tables that follow from others, or matter only to processes that run. */
const ofOneDatabase = /^(sqlite_.*|keys_search.*|mintmark_schema|quota_slots|generations|commits|leases)$/
/** Parts of one count, of which only the sum is moved. */
const shardColumn = { table: 'traffic_days', column: 'shard' }

const types: ReadonlySet<string> = new Set(['bigint', 'integer', 'smallint', 'text', 'bytea'])

/** Matches the tables of both databases. Throws when one of them has what the other could not take. */
export function matchTables(
  postgres: readonly CatalogColumn[],
  sqlite: readonly CatalogColumn[],
): readonly MovedTable[] {
  const theirs = Map.groupBy(
    postgres.filter(({ table }) => !ofOneDatabase.test(table)),
    ({ table }) => table,
  )
  const ours = Map.groupBy(
    sqlite.filter(({ table }) => !ofOneDatabase.test(table)),
    ({ table }) => table,
  )
  for (const name of [...theirs.keys(), ...ours.keys()])
    if (!theirs.has(name) || !ours.has(name)) throw unknown(`the table ${name}`)
  return [...theirs].map(([name, columns]) => matchTable(name, columns, ours.get(name) ?? []))
}

function matchTable(
  name: string,
  postgres: readonly CatalogColumn[],
  sqlite: readonly CatalogColumn[],
): MovedTable {
  const names = new Set(sqlite.map(({ column }) => column))
  const moved = postgres.filter(
    ({ table, column }) => table !== shardColumn.table || column !== shardColumn.column,
  )
  const missing = sqlite.find(({ column }) => !moved.some((each) => each.column === column))
  if (missing !== undefined) throw unknown(`the column ${name}.${missing.column}`)
  const pairs = moved.map((catalog) => ({ catalog, column: matchColumn(catalog, names) }))
  return {
    name,
    columns: pairs.map(({ column }) => column),
    key: pairs
      .filter(({ catalog }) => catalog.keyPosition > 0)
      .toSorted((one, other) => one.catalog.keyPosition - other.catalog.keyPosition)
      .map(({ column }) => column),
    numbered: pairs.filter(({ catalog }) => catalog.isNumbered).map(({ column }) => column),
  }
}

function matchColumn(
  { table, column, type, isNumbered }: CatalogColumn,
  names: ReadonlySet<string>,
): MovedColumn {
  const isRowNumber = !names.has(column) && isNumbered
  if ((!names.has(column) && !isRowNumber) || !types.has(type)) throw unknown(`the column ${table}.${column}`)
  return {
    name: column,
    sqliteName: isRowNumber ? 'rowid' : column,
    postgresType: type,
    isBytes: type === 'bytea',
  }
}

function unknown(what: string): Error {
  return new Error(
    `This version does not know how to move ${what} between SQLite and PostgreSQL. Nothing was changed.`,
  )
}
