import { insertInto, rowValues } from './columns.ts'
import type { Database } from './database.ts'
import { createOperation, type DatabaseValue, type Operation, type StatementResult } from './operation.ts'

/**
 * Makes functions of SQL statements, prepared once. Parameters are bound in the order in which a function takes them.
 * The types of parameters and rows are those that the interface of the table gives the function.
 */
export function statementsOf({ prepare, execute }: Pick<Database, 'prepare' | 'execute'>, isDurable = false) {
  function statement<Values extends DatabaseValue[], Value>(
    sql: string,
    wants: 'rows' | 'count',
    read: (result: StatementResult) => Value,
  ) {
    prepare(sql)
    const count = parametersOf(sql)
    // `map` and the like give their function more than it takes, and databases refuse that.
    return (...values: Values): Operation<Value> =>
      createOperation({ sql, values: values.slice(0, count), wants, isDurable }, read, execute)
  }

  /** The column `number` of the first row; 0 without a row. */
  function number<Values extends DatabaseValue[]>(sql: string) {
    return statement<Values, number>(sql, 'rows', ({ rows: [row] }) => {
      const found = row as { readonly number: number | null } | undefined
      return found?.number ?? 0
    })
  }

  return {
    /** The first row; undefined without one. */
    one: <Values extends DatabaseValue[], Row>(sql: string) =>
      statement<Values, Row | undefined>(sql, 'rows', ({ rows: [row] }) => row as Row | undefined),
    all: <Values extends DatabaseValue[], Row>(sql: string) =>
      statement<Values, readonly Row[]>(sql, 'rows', ({ rows }) => rows as readonly Row[]),
    number,
    /** How many rows there are in `from`, counted up to a limit, which is the last parameter. */
    countUpTo: <Values extends DatabaseValue[]>(from: string) =>
      number<Values>(`select count(*) as number from (select 1 from ${from} limit ?) as counted`),
    /** Whether there is a row. */
    exists: <Values extends DatabaseValue[]>(sql: string) =>
      statement<Values, boolean>(sql, 'rows', ({ rows }) => rows.length > 0),
    /** Changes rows. */
    write: <Values extends DatabaseValue[]>(sql: string) =>
      statement<Values, void>(sql, 'count', () => undefined),
    /** Changes rows; returns how many, without those that triggers changed. */
    run: <Values extends DatabaseValue[]>(sql: string) =>
      statement<Values, number>(sql, 'count', ({ count }) => count),
    /** Changes a row; returns whether there was one to change. */
    change: <Values extends DatabaseValue[]>(sql: string) =>
      statement<Values, boolean>(sql, 'count', ({ count }) => count > 0),
    insert<Columns extends Readonly<Record<string, string>>>(table: string, columns: Columns) {
      const add = statement<DatabaseValue[], void>(insertInto(table, columns), 'count', () => undefined)
      return (row: Parameters<typeof rowValues<Columns>>[1]) => add(...rowValues(columns, row))
    },
  }
}

/** How many values a statement takes: one for each `?`, or as many as the highest `?1`, `?2`, … */
function parametersOf(sql: string): number {
  const numbers = (sql.match(/\?\d*/g) ?? []).map((parameter) => Number(parameter.slice(1)))
  return Math.max(numbers.filter((number) => number === 0).length, ...numbers)
}
