import { and, Column, eq, type GetColumnData, getTableColumns, is, Placeholder, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { SelectedFields } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import {
  type Builders,
  type BuiltQuery,
  createOperation,
  type Database,
  type DatabaseValue,
  type Operation,
  type StatementResult,
} from './database.ts'

type Kind = Column | SQL

/** The types of parameters, in a list or by name: the column that each belongs to, or one of `anyNumber` and `anyText`. */
export type Kinds = readonly Kind[] | Readonly<Record<string, Kind>>

/** Types of parameters that belong to no column. */
export const anyNumber = sql<number>``
export const anyText = sql<string>``
const anyValue = sql<unknown>``

type ValueOf<Kind> = Kind extends Column ? GetColumnData<Kind> : Kind extends SQL<infer Value> ? Value : never

export type Values<Of extends Kinds> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> }

/** Parameters in a list are given one by one, those with names in one object. */
type Given<Of extends Kinds> = Of extends readonly Kind[] ? Values<Of> : readonly [Values<Of>]

/** The places of the parameters in a query. */
type Parameters<Of extends Kinds> = { readonly [Name in keyof Of]: SQL<ValueOf<Of[Name]>> & Placeholder }

export type Build<Of extends Kinds, Result = BuiltQuery> = (of: Parameters<Of>, builders: Builders) => Result

export type RowOf<Result> = Result extends { readonly _: { readonly returning: infer Row extends object } }
  ? Readonly<Row>
  : Result extends { readonly _: { readonly result: readonly (infer Row)[] } }
    ? Readonly<Row>
    : never

/** Makes functions of queries. Each returns an operation. The text is made and prepared once, at the first call. */
export function queriesOf(database: QueryDatabase, isDurable = false) {
  function query<Of extends Kinds, Value>(
    kinds: Of,
    build: Build<Of>,
    wants: 'rows' | 'count',
    read: (result: StatementResult) => Value,
  ): (...values: Given<Of>) => Operation<Value> {
    let compiled: ReturnType<typeof compileQuery> | undefined
    function compile() {
      if (compiled !== undefined) return compiled
      compiled = compileQuery(kinds, build, database.builders)
      database.prepare(compiled.sql)
      return compiled
    }
    database.onQuery?.(compile)
    const isList = Array.isArray(kinds)
    return (...values) => {
      const { sql: text, bind } = compile()
      const bound = bind((isList ? values : values[0]) as Readonly<Record<string, unknown>>)
      return createOperation({ sql: text, values: bound, wants, isDurable }, read, database.execute)
    }
  }

  function number<const Of extends Kinds>(kinds: Of, build: Build<Of>) {
    return query(kinds, build, 'rows', ({ rows: [row] }) => {
      const found = row as { readonly number: number | null } | undefined
      return found?.number ?? 0
    })
  }

  /** Changes rows; returns how many, without those that triggers changed. */
  function run<const Of extends Kinds>(kinds: Of, build: Build<Of>) {
    return query(kinds, build, 'count', ({ count }) => count)
  }

  function insertBy<Table extends SQLiteTable, Value>(
    table: Table,
    build: (values: never, builders: Builders) => BuiltQuery,
    wants: 'rows' | 'count',
    read: (result: StatementResult) => Value,
  ): (row: Table['$inferInsert']) => Operation<Value> {
    const columns = Object.entries<SQLiteColumn>(getTableColumns(table)).filter(
      ([, column]) => !('autoIncrement' in column && column.autoIncrement),
    )
    const kinds = Object.fromEntries(columns.map(([name]) => [name, anyValue]))
    const defaults = Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null]))
    const add = query(kinds, (values, builders) => build(values as never, builders), wants, read)
    return (row) => {
      const given = Object.entries(row).filter(([, value]) => value !== undefined)
      return add({ ...defaults, ...Object.fromEntries(given) })
    }
  }

  /** Adds a row, or changes these values of the row with the same key. */
  function upsertBy<Table extends SQLiteTable>(
    table: Table,
    key: SQLiteColumn[],
    changed: readonly (keyof Table['$inferInsert'])[],
    change: (stored: SQLiteColumn | undefined, added: SQL) => SQL,
  ) {
    const columns: Readonly<Partial<Record<PropertyKey, SQLiteColumn>>> = getTableColumns(table)
    const set = Object.fromEntries(
      changed.map((name) => [
        name,
        change(columns[name], sql`excluded.${sql.identifier(columns[name]?.name ?? '')}`),
      ]),
    )
    return insertBy(
      table,
      (values, { insert }) =>
        insert(table)
          .values(values)
          .onConflictDoUpdate({ target: key, set: set as never }),
      'count',
      nothing,
    )
  }

  return {
    one: <const Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) =>
      query(kinds, build, 'rows', ({ rows: [row] }) => row as RowOf<Result> | undefined),
    /** The row in which columns have these values. */
    rowBy: <Table extends SQLiteTable, const Columns extends readonly SQLiteColumn[]>(
      table: Table,
      ...columns: Columns
    ) =>
      query(
        columns,
        (of: readonly SQL[], { select }) => select(row(table)).from(table).where(matches(columns, of)),
        'rows',
        ({ rows: [found] }) => found as Readonly<Table['$inferSelect']> | undefined,
      ),
    all: <const Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) =>
      query(kinds, build, 'rows', ({ rows }) => rows as readonly RowOf<Result>[]),
    number,
    /** The rows that a query finds, counted up to a last parameter. */
    countUpTo: <const Of extends readonly Kind[]>(kinds: Of, build: Build<Of, { getSQL(): SQL }>) =>
      number([...kinds, anyNumber] as const, (of, builders) => {
        const found = build(of as never, builders).getSQL()
        return builders.raw(sql`select count(*) as number from (${found} limit ${of.at(-1)}) as counted`)
      }),
    exists: <const Of extends Kinds>(kinds: Of, build: Build<Of>) =>
      query(kinds, build, 'rows', ({ rows }) => rows.length > 0),
    write: <const Of extends Kinds>(kinds: Of, build: Build<Of>) => query(kinds, build, 'count', nothing),
    run,
    /** Changes a row; returns whether there was one to change. */
    change: <const Of extends Kinds>(kinds: Of, build: Build<Of>) =>
      query(kinds, build, 'count', ({ count }) => count > 0),
    /** Adds a row, or gives these values of it to the row with the same key. */
    upsert: <T extends SQLiteTable>(table: T, key: SQLiteColumn[], ...changed: (keyof T['$inferInsert'])[]) =>
      upsertBy(table, key, changed, (_, added) => added),
    /** Adds a row, or these counts of it to those of the row with the same key. */
    addCounts: <T extends SQLiteTable>(
      table: T,
      key: SQLiteColumn[],
      ...counts: (keyof T['$inferInsert'])[]
    ) => upsertBy(table, key, counts, (stored, added) => sql`${stored} + ${added}`),
    /** Removes at most so many rows in which a column is below a value, and returns how many. */
    prune: (table: SQLiteTable, column: SQLiteColumn, key: SQLiteColumn[]) =>
      run([anyNumber, anyNumber], ([before, limit], { select, remove }) => {
        const old = select(Object.fromEntries(key.map((each) => [each.name, each])))
          .from(table)
          .where(sql`${column} < ${before}`)
          .limit(limit)
        return remove(table).where(sql`(${sql.join(key, sql`, `)}) in ${old}`)
      }),
    /** Adds a row. A property that is left out is null, or the default of its column. */
    insert: <Table extends SQLiteTable>(table: Table) =>
      insertBy(table, (values, { insert }) => insert(table).values(values), 'count', nothing),
    /** Adds a row unless it conflicts with another; returns it as it is stored. */
    insertReturning: <Table extends SQLiteTable>(table: Table) =>
      insertBy(
        table,
        (values, { insert }) => insert(table).values(values).onConflictDoNothing().returning(row(table)),
        'rows',
        ({ rows: [added] }) => added as Readonly<Table['$inferSelect']> | undefined,
      ),
    /** Adds a row unless it conflicts with another; returns whether it was added. */
    insertUnlessKnown: <Table extends SQLiteTable>(table: Table) =>
      insertBy(
        table,
        (values, { insert }) => insert(table).values(values).onConflictDoNothing(),
        'count',
        ({ count }) => count > 0,
      ),
  }
}

function nothing(): void {}

type QueryDatabase = Pick<Database, 'builders' | 'prepare' | 'execute' | 'onQuery'>

export function compileQuery<Of extends Kinds>(kinds: Of, build: Build<Of>, builders: Builders) {
  const entries = Object.keys(kinds).map((name) => [name, sql`${sql.placeholder(name)}`] as const)
  const places: unknown = Array.isArray(kinds)
    ? entries.map(([, place]) => place)
    : Object.fromEntries(entries)
  const { sql: text, params } = build(places as Parameters<Of>, builders).toSQL()
  return {
    sql: text,
    bind: (values: Readonly<Record<string, unknown>>) =>
      params.map((param) => (is(param, Placeholder) ? values[param.name] : param) as DatabaseValue),
  }
}

/** Each of the columns has the value of its parameter. */
export function matches<Columns extends readonly Column[] | Readonly<Record<string, Column>>>(
  columns: Columns,
  of: Readonly<Record<keyof Columns & string, SQL>> | readonly SQL[],
): SQL | undefined {
  const values = of as Readonly<Record<string, SQL>>
  return and(...Object.entries<Column>(columns).map(([name, column]) => eq(column, values[name])))
}

export function row<Table extends SQLiteTable>(table: Table): Table['_']['columns'] {
  return fields(getTableColumns(table))
}

/**
 * Rows come as objects with the names that the statement gives. SQLite's builder drops the table's name from each
 * column in a selected expression, so that a column in a subquery would be another table's: an expression is nested
 * once more, which the builder leaves alone.
 */
export function fields<Fields extends SelectedFields>(selected: Fields): Fields {
  const entries = Object.entries(selected).map(([name, field]) => {
    if (is(field, Column)) return [name, sql`${field}`.as(name)]
    return [name, is(field, SQL) ? sql`${sql`${field}`}`.as(name) : field]
  })
  return Object.fromEntries(entries) as Fields
}
