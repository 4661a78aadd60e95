import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { generations } from './schema.ts'

/** Numbers that grow with each change, no matter which process makes it. Triggers and the meter count; each database has numbers of its own. */
export interface Generations {
  /** Changes that could make the database refuse a call that it granted before: keys, and embed URLs whose count was given back. */
  readonly grants: number
  readonly brands: number
}

export type GenerationTable = ReturnType<typeof createGenerationTable>

export function createGenerationTable(database: Database) {
  const { name, generation } = generations
  const all = queriesOf(database).all({}, (_, { select }) => select({ name, generation }).from(generations))
  return {
    current: () =>
      all({}).as((rows): Generations => {
        const sums = { grants: 0, brands: 0 }
        for (const { name, generation } of rows) sums[name === 'brands' ? 'brands' : 'grants'] += generation
        return sums
      }),
  }
}
