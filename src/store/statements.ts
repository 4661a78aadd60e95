import { insertInto, rowValues } from './columns.ts'
import type { Sqlite, SqlValue } from './sqlite.ts'

/**
 * Makes functions of SQL statements, prepared once. Parameters are bound in the order in which a function takes them.
 * The types of parameters and rows are those that the interface of the table gives the function.
 */
export function statementsOf(sqlite: Pick<Sqlite, 'prepare'>) {
  /** The column `number` of the first row; 0 without a row. */
  function number<Values extends SqlValue[]>(sql: string) {
    const { get } = sqlite.prepare<{ readonly number: number | null }>(sql)
    return functionOf<Values, number>(sql, (...values) => get(...values)?.number ?? 0)
  }

  return {
    /** The first row; undefined without one. */
    one: <Values extends SqlValue[], Row>(sql: string) =>
      functionOf<Values, Row | undefined>(sql, sqlite.prepare<Row>(sql).get),
    all: <Values extends SqlValue[], Row>(sql: string) =>
      functionOf<Values, readonly Row[]>(sql, sqlite.prepare<Row>(sql).all),
    number,
    /** How many rows there are in `from`, counted up to a limit, which is the last parameter. */
    countUpTo: <Values extends SqlValue[]>(from: string) =>
      number<Values>(`select count(*) as number from (select 1 from ${from} limit ?)`),
    /** Whether there is a row. */
    exists<Values extends SqlValue[]>(sql: string) {
      const { get } = sqlite.prepare(sql)
      return functionOf<Values, boolean>(sql, (...values) => get(...values) !== undefined)
    },
    /** Changes rows; returns how many, without those that triggers changed. */
    run<Values extends SqlValue[]>(sql: string) {
      const { run } = sqlite.prepare(sql)
      return functionOf<Values, number>(sql, (...values) => Number(run(...values).changes))
    },
    /** Changes a row; returns whether there was one to change. */
    change<Values extends SqlValue[]>(sql: string) {
      const { run } = sqlite.prepare(sql)
      return functionOf<Values, boolean>(sql, (...values) => run(...values).changes > 0)
    },
    insert<Columns extends Readonly<Record<string, string>>>(table: string, columns: Columns) {
      const { run } = sqlite.prepare(insertInto(table, columns))
      return (row: Parameters<typeof rowValues<Columns>>[1]) => void run(...rowValues(columns, row))
    },
  }
}

/** `map` and the like give their function more than it takes, and SQLite refuses that: the function takes its own only. */
function functionOf<Values extends SqlValue[], Result>(sql: string, call: (...values: SqlValue[]) => Result) {
  const count = parametersOf(sql)
  return (...values: Values): Result =>
    values.length > count ? call(...values.slice(0, count)) : call(...values)
}

/** How many values a statement takes: one for each `?`, or as many as the highest `?1`, `?2`, … */
function parametersOf(sql: string): number {
  const numbers = (sql.match(/\?\d*/g) ?? []).map((parameter) => Number(parameter.slice(1)))
  return Math.max(numbers.filter((number) => number === 0).length, ...numbers)
}
