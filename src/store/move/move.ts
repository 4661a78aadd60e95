import { createHash } from 'node:crypto'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { movedToName, placeAndTime } from '../key-values.ts'
import * as schema from '../schema.ts'

export interface MoveSide {
  readonly kind: 'sqlite' | 'postgres'
  /** For messages: without user and password. */
  readonly name: string
  fact(name: string): Promise<string | undefined>
  count(table: MovedTable): Promise<number>
  /** All rows in the order of their keys, as many at a time as fit into memory. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
  close(): void
}

export interface MoveSource extends MoveSide {
  /** The highest number that the database has given to a row of the table; 0 before the first. */
  lastNumber(table: MovedTable): Promise<number>
  noteMovedTo(note: string): Promise<void>
}

/** An empty database, whose rules are suspended so that rows can come in any order. Nothing is stored until `commit`. */
export interface MoveTarget extends MoveSide {
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** Brings the rules back. Rejects if the rows break one. */
  finish(lastNumbers: ReadonlyMap<MovedTable, number>): Promise<void>
  commit(): Promise<void>
}

export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  readonly key: string
  readonly numbered: MovedColumn | undefined
  /** Some rows have files of megabytes. */
  readonly rowsAtOnce: number
}

interface MovedColumn {
  readonly name: string
  /** `rowid` for a number that SQLite gives to each row by itself. */
  readonly sqliteName: string
  readonly postgresType: string
}

export type MovedRow = Readonly<Record<string, null | number | string | Uint8Array>>

export interface ComparedTable {
  readonly table: string
  readonly source: TableDigest
  readonly target: TableDigest
}

interface TableDigest {
  readonly rows: number
  readonly sha256: string
}

/**
 * Copies everything and compares both. The source keeps its data and a note of it. If a table differs, neither is changed.
 * @param onBegin called with the number of rows to be copied and then compared; what it returns is called as that is done
 */
export async function move(
  source: MoveSource,
  target: MoveTarget,
  nowMs: number,
  onBegin: (rows: number) => (rows: number) => void,
): Promise<readonly ComparedTable[]> {
  const movedTo = await source.fact(movedToName)
  // A move that was killed at its very end has left the note, and nothing in its target.
  if (movedTo !== undefined && !movedTo.endsWith(` ${target.name}`))
    throw new Error(`${source.name} was moved to ${placeAndTime(movedTo)}, and is older than that.`)
  let rows = 0
  for (const table of movedTables) rows += await source.count(table)
  const onRows = onBegin(2 * rows)
  const sent = new Map<MovedTable, TableDigest>()
  const lastNumbers = new Map<MovedTable, number>()
  for (const table of movedTables) {
    sent.set(table, await digestOf(table, source, onRows, (batch) => target.insert(table, batch)))
    lastNumbers.set(table, await source.lastNumber(table))
  }
  await target.finish(lastNumbers)
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

/** Counts the rows of a table. Its SHA-256 is equal for equal rows, and for no others: each value follows its length. */
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

/** Tables of the schema, but for the numbers of changes, of which each database has its own. */
export const movedTables: readonly MovedTable[] = Object.values<unknown>(schema)
  .filter((value) => is(value, SQLiteTable))
  .filter((table) => table !== schema.generations)
  .map(movedTable)

function movedTable(table: SQLiteTable): MovedTable {
  const { name, columns, primaryKeys } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const counted = columns.find((column) => 'autoIncrement' in column && column.autoIncrement)
  const moved = columns.map((column) => movedColumn(column.name, column.getSQLType()))
  // PostgreSQL has a column for the order in which these rows came.
  const isRowNumbered = table === schema.keys || table === schema.charges
  const rowNumber = { ...movedColumn('number', 'integer'), sqliteName: 'rowid' }
  return {
    name,
    columns: isRowNumbered ? [...moved, rowNumber] : moved,
    key: key.map((column) => column.name).join(', '),
    numbered: isRowNumbered ? rowNumber : counted && movedColumn(counted.name, 'integer'),
    rowsAtOnce: moved.some(({ postgresType }) => postgresType === 'bytea') ? 20 : 2_000,
  }
}

function movedColumn(name: string, type: string): MovedColumn {
  const postgresType = type === 'integer' ? 'bigint' : type === 'blob' ? 'bytea' : 'text'
  return { name, sqliteName: name, postgresType }
}
