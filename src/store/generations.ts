import type { Database } from './database.ts'
import type { Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** Numbers that grow with each change, whoever makes it. Triggers and the meter count; each database has numbers of its own. */
export interface Generations {
  /** Of what could make the database refuse a call that it granted before: keys, and embed URLs whose count was given back. */
  readonly grants: number
  readonly brands: number
}

export interface GenerationTable {
  current(): Operation<Generations>
}

export function createGenerationTable(database: Database): GenerationTable {
  const all = statementsOf(database).all<[], { readonly name: string; readonly generation: number }>(
    'select name, generation from generations',
  )
  return {
    current: () =>
      all().as((rows) => {
        const sums = { grants: 0, brands: 0 }
        for (const { name, generation } of rows) sums[name === 'brands' ? 'brands' : 'grants'] += generation
        return sums
      }),
  }
}
