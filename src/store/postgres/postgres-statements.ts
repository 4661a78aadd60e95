import type { BoundStatement, StatementResult } from '../operation.ts'
import type { Connection, QueryResult } from './connection.ts'
import { numberParameters } from './question-marks.ts'

/** A statement of a table as PostgreSQL takes it. */
interface PostgresStatement {
  readonly text: string
  /** Whether it changes nothing. */
  readonly isRead: boolean
}

/** Statements of tables, translated once each. */
export function createPostgresStatements() {
  const statements = new Map<string, PostgresStatement>()

  function of(sql: string): PostgresStatement {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    const statement = { text: numberParameters(sql), isRead: /^\s*(?:select|with recursive)\b/.test(sql) }
    statements.set(sql, statement)
    return statement
  }

  return {
    isRead: (sql: string): boolean => of(sql).isRead,
    async send(
      connection: Connection,
      { sql, values }: Pick<BoundStatement, 'sql' | 'values'>,
    ): Promise<StatementResult> {
      const answer: QueryResult<Record<string, unknown>> = await connection.send(of(sql).text, values)
      return { rows: answer.rows, count: answer.count }
    },
  }
}
