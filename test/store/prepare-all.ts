import { expect } from 'bun:test'
import type { Database } from '../../src/store/database.ts'
import { transitionTargets } from '../../src/store/payment-states.ts'

/** Creates tables and prepares each of their queries now, not at its first use. */
export function prepareAll(database: Database, create: (database: Database) => unknown): void {
  const queries: (() => void)[] = []
  create({ ...database, onQuery: (prepareNow) => void queries.push(prepareNow) })
  for (const prepareNow of queries) prepareNow()
}

/** Expects the updates that change the states of payments among the statements. */
export function expectTransitions(statements: readonly string[]): void {
  const updates = statements.filter((sql) => sql.startsWith('update "payments" set '))
  for (const to of transitionTargets)
    expect(updates.filter((sql) => new RegExp(`"state" = '${to}'.* where `).test(sql))).toHaveLength(1)
}
