import type { Database } from '../../src/store/database.ts'

/** Creates tables and prepares each of their queries now, not at its first use. */
export function prepareAll(database: Database, create: (database: Database) => unknown): void {
  const queries: (() => void)[] = []
  create({ ...database, onQuery: (prepareNow) => void queries.push(prepareNow) })
  for (const prepareNow of queries) prepareNow()
}
