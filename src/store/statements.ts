import { insertInto, rowValues } from './columns.ts'
import type { Sqlite, SqlValue, Statement } from './sqlite.ts'

/**
 * Makes functions of SQL statements, prepared once. Parameters are bound in the order in which a function takes them.
 * The types of parameters and rows are those that the interface of the table gives the function.
 */
export function statementsOf(sqlite: Pick<Sqlite, 'prepare'>) {
  /** @param callOf makes the function of a prepared statement. */
  function functionOf<Values extends SqlValue[], Row, Result>(
    sql: string,
    callOf: (statement: Statement<Row>) => (...values: SqlValue[]) => Result,
  ) {
    const call = callOf(sqlite.prepare<Row>(sql))
    const count = parametersOf(sql)
    // `map` and the like give their function more than it takes, and SQLite refuses that.
    return (...values: Values): Result =>
      values.length > count ? call(...values.slice(0, count)) : call(...values)
  }

  return {
    /** The first row; undefined without one. */
    one: <Values extends SqlValue[], Row>(sql: string) =>
      functionOf<Values, Row, Row | undefined>(sql, (statement) => statement.get),
    all: <Values extends SqlValue[], Row>(sql: string) =>
      functionOf<Values, Row, readonly Row[]>(sql, (statement) => statement.all),
    /** The column `number` of the first row; 0 without a row. */
    number: <Values extends SqlValue[]>(sql: string) =>
      functionOf<Values, { readonly number: number | null }, number>(
        sql,
        ({ get }) =>
          (...values) =>
            get(...values)?.number ?? 0,
      ),
    /** Whether there is a row. */
    exists: <Values extends SqlValue[]>(sql: string) =>
      functionOf<Values, unknown, boolean>(
        sql,
        ({ get }) =>
          (...values) =>
            get(...values) !== undefined,
      ),
    /** Changes rows; returns how many, without those that triggers changed. */
    run: <Values extends SqlValue[]>(sql: string) =>
      functionOf<Values, unknown, number>(
        sql,
        ({ run }) =>
          (...values) =>
            Number(run(...values).changes),
      ),
    /** Changes a row; returns whether there was one to change. */
    change: <Values extends SqlValue[]>(sql: string) =>
      functionOf<Values, unknown, boolean>(
        sql,
        ({ run }) =>
          (...values) =>
            run(...values).changes > 0,
      ),
    insert<Columns extends Readonly<Record<string, string>>>(table: string, columns: Columns) {
      const statement = sqlite.prepare(insertInto(table, columns))
      return (row: Parameters<typeof rowValues<Columns>>[1]) => void statement.run(...rowValues(columns, row))
    },
  }
}

/** How many values a statement takes: one for each `?`, or as many as the highest `?1`, `?2`, … */
function parametersOf(sql: string): number {
  const numbers = (sql.match(/\?\d*/g) ?? []).map((parameter) => Number(parameter.slice(1)))
  return Math.max(numbers.filter((number) => number === 0).length, ...numbers)
}
