import { withinAwake } from '../../lib/awake-time.ts'
import { StoreError } from '../store-error.ts'

/**
 * Has the transactions of this process wait for one another's named locks before they take a connection: one that waits
 * for a lock in the database holds a connection, and many that wait for the same would leave none to anybody else.
 */
export function createLockQueues(patienceMs: number) {
  /** The end of all work that holds a lock or waits for it. */
  const ends = new Map<string, Promise<unknown>>()

  /** Runs the work while no other of this process has one of the locks. */
  return async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const own = new Map<string, Promise<unknown>>()
    try {
      for (const name of names) {
        const before = ends.get(name)
        const end = Promise.all([before, over])
        own.set(name, end)
        ends.set(name, end)
        if (before !== undefined) await withinAwake(before, patienceMs, tooLong)
      }
      return await work()
    } finally {
      resolve()
      for (const [name, end] of own) if (ends.get(name) === end) ends.delete(name)
    }
  }
}

function tooLong(): StoreError {
  return new StoreError('locked', 'Others have held a lock in the database (DATABASE_URL) for too long.')
}
