import { Column, getTableColumns, is, type Query, SQL, sql } from 'drizzle-orm'
import type {
  QueryBuilder,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import type { SelectedFields } from 'drizzle-orm/sqlite-core/query-builders/select.types'

/** Drizzle's builders for one dialect. Their types are SQLite's, which has all types of the schema. */
export interface Builders {
  readonly select: QueryBuilder['select']
  insert<Table extends SQLiteTable>(table: Table): SQLiteInsertBuilder<Table, 'sync', void>
  update<Table extends SQLiteTable>(table: Table): SQLiteUpdateBuilder<Table, 'sync', void>
  remove<Table extends SQLiteTable>(table: Table): SQLiteDeleteBase<Table, 'sync', void>
  /** A statement that no builder can say. `Row` is the row that it returns. */
  raw<Row>(text: SQL<Row>): BuiltQuery & { readonly _: { readonly result: readonly Row[] } }
  /** The table, searched by one index where the database takes such hints. */
  indexed<Table extends SQLiteTable>(table: Table, index: string): Table
  /** The column that counts the rows of `keys` and `charges` as they were inserted. */
  readonly rowNumber: SQL<number>
}

/** A finished query of a builder. */
export interface BuiltQuery {
  toSQL(): Query
}

/** All columns of a table, for `select` and `returning`. */
export function row<Table extends SQLiteTable>(table: Table): Table['_']['columns'] {
  return fields(getTableColumns(table))
}

/**
 * Fields under the names of their properties, because rows come as objects with the names that the statement gives.
 * SQLite's builder drops the table's name from each column in a selected expression, so that a column in a subquery
 * would be another table's: an expression is nested once more, which the builder leaves alone.
 */
export function fields<Fields extends SelectedFields>(selected: Fields): Fields {
  const entries = Object.entries(selected).map(([name, field]) => {
    if (is(field, Column)) return [name, sql`${field}`.as(name)]
    return [name, is(field, SQL) ? sql`${sql`${field}`}`.as(name) : field]
  })
  return Object.fromEntries(entries) as Fields
}
