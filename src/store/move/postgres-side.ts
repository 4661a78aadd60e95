import type { Connection } from '../postgres/connection.ts'
import { numberParameters } from '../postgres/question-marks.ts'
import { postgresStoreError } from '../postgres/store-errors.ts'
import type { MoveSide } from './move-side.ts'
import { createMoveStatements, type MoveStatement } from './move-statements.ts'
import type { CatalogColumn, MovedRow } from './moved-table.ts'
import { postgresDigest, postgresLine } from './row-digest.ts'

/** How a move reads a PostgreSQL database, whether it is the source or the target. */
export interface PostgresSide extends MoveSide {
  query<Row extends object>(sql: string, values?: MoveStatement['values']): Promise<readonly Row[]>
}

/** Long: a large table is counted, and its rules are checked, in one statement. */
export const statementTimeoutMs = 3_600_000

/** @param name the database, for messages */
export function createPostgresSide(connection: Connection, name: string): PostgresSide {
  const texts = createMoveStatements('postgres')

  async function query<Row extends object>(sql: string, values: MoveStatement['values'] = []) {
    try {
      const { rows } = await connection.send(numberParameters(sql), values, statementTimeoutMs)
      return rows as readonly unknown[] as readonly Row[]
    } catch (error) {
      throw postgresStoreError(error, name)
    }
  }

  async function number(sql: string): Promise<number> {
    const [row] = await query<{ number: number | null }>(sql)
    return row?.number ?? 0
  }

  return {
    name,
    query,
    catalog: () => query<CatalogColumn>(catalog),
    async fact(fact) {
      const [row] = await query<{ value: string }>('select value from facts where name = ?', [fact])
      return row?.value
    },
    rows(table, range) {
      const { sql, values } = texts.rows(table, range)
      return query<MovedRow>(sql, values)
    },
    nextKeys(table, range) {
      const { sql, values } = texts.nextKeys(table, range)
      return query<MovedRow>(sql, values)
    },
    async digest(table, range) {
      const { sql, values } = texts.rows(table, range)
      const order = table.key.map((column) => column.name).join(', ')
      const digest = postgresDigest(postgresLine(table.columns), order)
      const [row] = await query<{ rows: number; sha256: string }>(
        `select count(*) as rows, ${digest} as sha256 from (${sql}) as moved`,
        values,
      )
      return { rows: row?.rows ?? 0, sha256: row?.sha256 ?? '' }
    },
    async totals(table) {
      const [row] = await query<Record<string, string>>(texts.totals(table))
      return row ?? {}
    },
    async lastNumber({ name: table, numbered: [column] }) {
      if (column === undefined) return 0
      const highest = await number(`select max(${column.name}) as number from ${table}`)
      const given = `select pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column.name}')::regclass)`
      return Math.max(highest, await number(`${given} as number`))
    },
    close: async () => connection.destroy('the move is over'),
  }
}

const catalog = `select tables.relname as "table", columns.attname as "column",
    coalesce(array_position(keys.indkey::int2[], columns.attnum) + 1, 0) as "keyPosition",
    format_type(columns.atttypid, columns.atttypmod) as "type", columns.attidentity <> '' as "isNumbered"
  from pg_class as tables join pg_attribute as columns on columns.attrelid = tables.oid
  left join pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
  where tables.relnamespace = current_schema()::regnamespace and tables.relkind = 'r'
    and columns.attnum > 0 and not columns.attisdropped
  order by tables.relname, columns.attnum`
