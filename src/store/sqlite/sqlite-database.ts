import { inTurn } from '../../lib/cooperative-scheduler.ts'
import type { Database } from '../database.ts'
import type { BoundStatement, Operation, StatementResult, Steps } from '../operation.ts'
import type { Sqlite } from '../sqlite.ts'
import type { DriverStatement } from './driver/driver.ts'
import { sqliteBuilders, sqliteTexts } from './sqlite-dialect.ts'

/**
 * The SQLite file as a database: it answers at once, so a transaction is run to its end in one turn. Of many callers at once
 * some wait for a later turn, which spreads what they do with their answers too.
 */
export function createSqliteDatabase(sqlite: Pick<Sqlite, 'prepare' | 'transaction'>): Database {
  const prepared = new Map<string, DriverStatement<unknown>>()

  function prepare(sql: string): DriverStatement<unknown> {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  function execute({ sql, values, wants }: BoundStatement): StatementResult {
    const statement = prepare(sql)
    if (wants === 'count') return { rows: [], count: Number(statement.run(...values).changes) }
    return { rows: statement.all(...values), count: 0 }
  }

  function run<T>(steps: Steps<T>): T {
    let step = steps.next()
    while (!step.done) step = answer(steps, step.value)
    return step.value
  }

  function answer<T>(steps: Steps<T>, { statement, read }: Operation<unknown>) {
    let value: unknown
    try {
      value = read(execute(statement))
    } catch (error) {
      return steps.throw(error)
    }
    return steps.next(value)
  }

  return {
    builders: sqliteBuilders,
    prepare: (sql) => void prepare(sql),
    async execute(statement) {
      if (!statement.isDurable) return await inTurn(() => execute(statement))
      return await inTurn(() => sqlite.transaction(() => execute(statement), { durable: true }))
    },
    texts: sqliteTexts,
    async transaction(work, { durable = false } = {}) {
      return await inTurn(() => sqlite.transaction(() => run(work()[Symbol.iterator]()), { durable }))
    },
  }
}
