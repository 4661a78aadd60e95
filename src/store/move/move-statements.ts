import { moveMarks } from './move-marks.ts'
import type { MovedColumn, MovedTable, MoveValue, RowRange } from './moved-table.ts'

export type Dialect = 'sqlite' | 'postgres'

/** A statement whose parameters are `?`, with their values. */
export interface MoveStatement {
  readonly sql: string
  readonly values: readonly MoveValue[]
}

/** How many rows are compared and copied at once, and about how many bytes of files. */
export const rowsAtOnce = 2_000
export const bytesAtOnce = 4 * 2 ** 20

const marks = Object.values(moveMarks)
  .map((name) => `'${name}'`)
  .join(', ')

/** Columns whose sums are compared: money, counts, and what they cost. */
const summed = /(_micros|_gwei|gas_used|used|count|failed)$/

/** The texts of statements over one table in one of the databases. */
export function createMoveStatements(dialect: Dialect) {
  function nameOf(column: MovedColumn): string {
    return dialect === 'sqlite' ? column.sqliteName : column.name
  }

  /** The rows that are moved. */
  function from({ name, columns }: MovedTable): string {
    if (name === 'facts') return `(select name, value from facts where name not in (${marks})) as facts`
    if (name !== 'traffic_days' || dialect === 'sqlite') return name
    const kinds = columns.filter((column) => column.name !== 'count').map((column) => column.name)
    return `(select ${kinds.join(', ')}, sum(count)::bigint as count from traffic_days group by ${kinds.join(', ')}) as traffic_days`
  }

  function keyOf({ key }: MovedTable): string {
    return key.map(nameOf).join(', ')
  }

  function where(table: MovedTable, { after, upTo }: RowRange): MoveStatement {
    const places = `(${table.key.map(() => '?').join(', ')})`
    const bounds = [
      ...(after === undefined ? [] : [`(${keyOf(table)}) > ${places}`]),
      ...(upTo === undefined ? [] : [`(${keyOf(table)}) <= ${places}`]),
    ]
    return {
      sql: bounds.length === 0 ? 'true' : bounds.join(' and '),
      values: [...(after ?? []), ...(upTo ?? [])],
    }
  }

  /** The rows of a range in the order of their keys; never many more than a range has. */
  function rows(table: MovedTable, range: RowRange): MoveStatement {
    const columns = table.columns.map((column) => `${nameOf(column)} as "${column.name}"`).join(', ')
    const order = `order by ${keyOf(table)} limit ${rowsAtOnce + 1}`
    if (dialect === 'sqlite') {
      const { sql, values } = where(table, range)
      return { sql: `select ${columns} from ${from(table)} where ${sql} ${order}`, values }
    }
    return nextWithin(table, range, columns)
  }

  /**
   * In a key of several columns PostgreSQL finds the first row of a range by its index, but looks for the last one to the
   * end of the table: so the rows that come next are read, and of those the ones in the range.
   */
  function nextWithin(table: MovedTable, { after, upTo }: RowRange, columns: string): MoveStatement {
    const [lower, upper] = [where(table, { after }), where(table, { upTo })]
    const order = `order by ${keyOf(table)}`
    const next = `select ${columns} from ${from(table)} where ${lower.sql} ${order} limit ${rowsAtOnce + 1}`
    return {
      sql: `select * from (${next}) as ${table.name} where ${upper.sql} ${order}`,
      values: [...lower.values, ...upper.values],
    }
  }

  /** Keys of the next rows, each with the bytes that its row has in files. */
  function nextKeys(table: MovedTable, range: RowRange): MoveStatement {
    const { sql, values } = where(table, range)
    const bytes = table.columns.filter(({ isBytes }) => isBytes)
    const weight = bytes.map((column) => `coalesce(octet_length(${nameOf(column)}), 0)`).join(' + ')
    const keys = table.key.map((column) => `${nameOf(column)} as "${column.name}"`).join(', ')
    // Rows without files are counted, not read.
    const limit = bytes.length === 0 ? `1 offset ${rowsAtOnce - 1}` : `${rowsAtOnce}`
    return {
      sql: `select ${keys}, ${weight || '0'} as bytes from ${from(table)} where ${sql} order by ${keyOf(table)} limit ${limit}`,
      values,
    }
  }

  /** Removes the rows of a range. In PostgreSQL at most `rowsAtOnce` and one, and the answer is how many. */
  function remove(table: MovedTable, range: RowRange): MoveStatement {
    const key = keyOf(table)
    if (dialect === 'sqlite') {
      const { sql, values } = where(table, range)
      const found = `select ${key} from ${from(table)} where ${sql}`
      return { sql: `delete from ${table.name} where (${key}) in (${found})`, values }
    }
    const { sql, values } = nextWithin(table, range, key)
    const gone = `delete from ${table.name} where (${key}) in (${sql}) returning 1`
    return { sql: `with gone as (${gone}) select count(*) as rows from gone`, values }
  }

  /** The number of rows, and each sum as text: it may be larger than a JavaScript number can be. */
  function totals(table: MovedTable): string {
    const sums = table.columns
      .filter(({ name, isBytes }) => !isBytes && summed.test(name))
      .map(({ name }) => `cast(coalesce(sum(${name}), 0) as text) as "${name}"`)
    return `select ${['cast(count(*) as text) as rows', ...sums].join(', ')} from ${from(table)}`
  }

  return { nameOf, from, rows, nextKeys, remove, totals }
}
