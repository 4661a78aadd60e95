import { createCoalescer } from '../lib/coalescer.ts'
import { findStoreError } from '../store/store-error.ts'
import type { Concern } from './concern.ts'
import type { ConcernDeps } from './concern-deps.ts'
import { keyConcerns } from './key-concerns.ts'
import { databaseConcerns, diskConcerns } from './machine-concerns.ts'
import { paymentConcerns, settlementConcerns } from './payment-concerns.ts'

export type Concerns = ReturnType<typeof createConcerns>

/** The one source of what the operator has to act on, for the overview and for alerts. */
export function createConcerns(deps: ConcernDeps) {
  const coalesce = createCoalescer<readonly Concern[]>()

  async function readAll(): Promise<readonly Concern[]> {
    const database = await databaseConcerns(deps)
    const machine = [...database, ...(await diskConcerns(deps)), ...(await settlementConcerns(deps))]
    // Nothing can be read from a database that does not answer.
    const stored = database.some(({ kind }) => kind === 'database') ? [] : await readStored()
    const all = [...machine, ...stored]
    return [...all.filter(({ level }) => level === 'now'), ...all.filter(({ level }) => level === 'soon')]
  }

  async function readStored(): Promise<readonly Concern[]> {
    try {
      return [...(await paymentConcerns(deps)), ...(await keyConcerns(deps))]
    } catch (error) {
      if (findStoreError(error) === undefined) throw error
      return []
    }
  }

  return {
    /** Concerns of the level `now` come first. Callers at the same time share one reading. */
    read: (): Promise<readonly Concern[]> => coalesce('', readAll),
  }
}
