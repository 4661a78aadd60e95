import type { Driver } from './sqlite/driver/driver.ts'

/** The transactions of one connection. */
export function createTransactions(database: Driver) {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let isOpen = false

  function runNormally<T>(work: () => T): T {
    begin.run()
    isOpen = true
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, a full disk among them.
      if (database.isInTransaction()) database.exec('rollback')
      throw error
    } finally {
      isOpen = false
    }
  }

  function runDurably<T>(work: () => T): T {
    database.exec('pragma synchronous = full')
    try {
      return runNormally(work)
    } finally {
      database.exec('pragma synchronous = normal')
    }
  }

  return {
    /** Runs `work` under the write lock. */
    run: <T>(work: () => T, durable: boolean): T => (durable ? runDurably(work) : runNormally(work)),
    isOpen: () => isOpen,
  }
}
