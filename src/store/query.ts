import {
  and,
  Column,
  eq,
  type GetColumnData,
  getTableColumns,
  is,
  lt,
  Placeholder,
  SQL,
  sql,
} from 'drizzle-orm'
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

/** The types of parameters by name: the column that each belongs to, or one of `anyNumber` and `anyText`. */
export type Kinds = Readonly<Record<string, Column | SQL>>

/** Types of parameters that belong to no column. */
export const anyNumber = sql<number>``
export const anyText = sql<string>``
const anyValue = sql<unknown>``

type ValueOf<Kind> = Kind extends Column ? GetColumnData<Kind> : Kind extends SQL<infer Value> ? Value : never

export type Values<Of extends Kinds> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> }

/** The places of the parameters in a query. */
type Parameters<Of extends Kinds> = { readonly [Name in keyof Of]: SQL<ValueOf<Of[Name]>> & Placeholder }

export type Build<Of extends Kinds, Result = BuiltQuery> = (of: Parameters<Of>, builders: Builders) => Result

export type RowOf<Result> = Result extends { readonly _: { readonly returning: infer Row extends object } }
  ? Readonly<Row>
  : Result extends { readonly _: { readonly result: readonly (infer Row)[] } }
    ? Readonly<Row>
    : never

/**
 * Makes functions of queries. Each returns an operation, which does nothing until it is executed. The text is made and
 * prepared once, at the first call.
 */
export function queriesOf(database: QueryDatabase, isDurable = false) {
  function query<Of extends Kinds, Value>(
    kinds: Of,
    build: Build<Of>,
    wants: 'rows' | 'count',
    read: (result: StatementResult) => Value,
  ): (values: Values<Of>) => Operation<Value> {
    let compiled: ReturnType<typeof compileQuery> | undefined
    function compile() {
      if (compiled !== undefined) return compiled
      compiled = compileQuery(kinds, build, database.builders)
      database.prepare(compiled.sql)
      return compiled
    }
    database.onQuery?.(compile)
    return (values) => {
      const { sql: text, bind } = compile()
      return createOperation({ sql: text, values: bind(values), wants, isDurable }, read, database.execute)
    }
  }

  function number<Of extends Kinds>(kinds: Of, build: Build<Of>) {
    return query(kinds, build, 'rows', ({ rows: [row] }) => {
      const found = row as { readonly number: number | null } | undefined
      return found?.number ?? 0
    })
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

  return {
    one: <Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) =>
      query(kinds, build, 'rows', ({ rows: [row] }) => row as RowOf<Result> | undefined),
    /** The row in which columns have these values. */
    rowBy<Table extends SQLiteTable, const Columns extends readonly SQLiteColumn[]>(
      table: Table,
      ...columns: Columns
    ) {
      const find = query(
        Object.fromEntries(columns.map((column) => [column.name, column])),
        (of, { select }) =>
          select(row(table))
            .from(table)
            .where(and(...columns.map((column) => eq(column, of[column.name])))),
        'rows',
        ({ rows: [found] }) => found as Readonly<Table['$inferSelect']> | undefined,
      )
      return (...values: { readonly [Place in keyof Columns]: GetColumnData<Columns[Place]> }) =>
        find(Object.fromEntries(columns.map((column, place) => [column.name, values[place]])))
    },
    all: <Of extends Kinds, Result extends BuiltQuery>(kinds: Of, build: Build<Of, Result>) =>
      query(kinds, build, 'rows', ({ rows }) => rows as readonly RowOf<Result>[]),
    number,
    countUpTo: <Of extends Kinds>(kinds: Of, build: Build<Of, { getSQL(): SQL }>) =>
      number({ ...kinds, max: anyNumber }, (of, builders) => {
        const found = build(of, builders).getSQL()
        return builders.raw(sql`select count(*) as number from (${found} limit ${of.max}) as counted`)
      }),
    exists: <Of extends Kinds>(kinds: Of, build: Build<Of>) =>
      query(kinds, build, 'rows', ({ rows }) => rows.length > 0),
    write: <Of extends Kinds>(kinds: Of, build: Build<Of>): ((values: Values<Of>) => Operation<void>) =>
      query(kinds, build, 'count', () => undefined),
    /** Changes rows; returns how many, without those that triggers changed. */
    run: <Of extends Kinds>(kinds: Of, build: Build<Of>) =>
      query(kinds, build, 'count', ({ count }) => count),
    /** Changes a row; returns whether there was one to change. */
    change: <Of extends Kinds>(kinds: Of, build: Build<Of>) =>
      query(kinds, build, 'count', ({ count }) => count > 0),
    /** Adds a row, or its count to that of the row with the same key. */
    addCount: <Table extends SQLiteTable>(table: Table, key: SQLiteColumn[], count: SQLiteColumn) =>
      insertBy(
        table,
        (values, { insert }) =>
          insert(table)
            .values(values)
            .onConflictDoUpdate({
              target: key,
              set: { count: sql`${count} + excluded.${sql.identifier(count.name)}` } as never,
            }),
        'count',
        () => undefined,
      ),
    /** Removes at most `limit` rows in which a column is below `before`, and returns how many. */
    prune(table: SQLiteTable, column: SQLiteColumn, key: SQLiteColumn[]) {
      const prune = query(
        { before: column, limit: anyNumber },
        (of, { select, remove }) => {
          const old = select(Object.fromEntries(key.map((each) => [each.name, each])))
            .from(table)
            .where(lt(column, of.before))
            .limit(of.limit)
          return remove(table).where(sql`(${sql.join(key, sql`, `)}) in ${old}`)
        },
        'count',
        ({ count }) => count,
      )
      return (before: number, limit: number) => prune({ before, limit })
    },
    /** Adds a row. A property that is left out is null, or the default of its column. */
    insert: <Table extends SQLiteTable>(table: Table) =>
      insertBy(
        table,
        (values, { insert }) => insert(table).values(values),
        'count',
        () => undefined,
      ),
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

type QueryDatabase = Pick<Database, 'builders' | 'prepare' | 'execute' | 'onQuery'>

export function compileQuery<Of extends Kinds>(kinds: Of, build: Build<Of>, builders: Builders) {
  const places = Object.fromEntries(Object.keys(kinds).map((name) => [name, sql`${sql.placeholder(name)}`]))
  const { sql: text, params } = build(places as Parameters<Of>, builders).toSQL()
  return {
    sql: text,
    bind: (values: Readonly<Record<string, unknown>>) =>
      params.map((param) => (is(param, Placeholder) ? values[param.name] : param) as DatabaseValue),
  }
}

/** Each of the columns has the value of its parameter. */
export function matches<Name extends string>(
  columns: Readonly<Record<Name, Column>>,
  of: { readonly [Each in NoInfer<Name>]: SQL },
): SQL | undefined {
  return and(...Object.entries<Column>(columns).map(([name, column]) => eq(column, of[name as Name])))
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
