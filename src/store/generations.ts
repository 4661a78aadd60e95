import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** Numbers that grow with what could make the database refuse a call that it granted before. */
export interface GenerationTable {
  /**
   * The sum of them: another number after each change of a key, whoever made it, and after each embed URL whose count was
   * given back. Triggers and the meter count; each database has numbers of its own.
   */
  current(): Operation<number>
}

export function createGenerationTable(database: Database): GenerationTable {
  return {
    current: statementsOf(database).number('select sum(generation) as number from generations'),
  }
}
