import { createSemaphore, type Semaphore } from './semaphore.ts'

/**
 * Has the transactions of this process wait for one another's named locks before they take a connection: one that waits
 * for a lock in the database holds a connection, and many that wait for the same would leave none to anybody else.
 */
export function createLockQueues(patienceMs: number) {
  const queues = new Map<string, Semaphore>()

  function queueOf(name: string): Semaphore {
    const existing = queues.get(name)
    if (existing !== undefined) return existing
    const problem = 'Others have held a lock in the database (DATABASE_URL) for too long.'
    const queue = createSemaphore({ places: 1, patienceMs, problem })
    queues.set(name, queue)
    return queue
  }

  function leave(name: string): void {
    const queue = queueOf(name)
    queue.leave()
    if (queue.isIdle()) queues.delete(name)
  }

  /** Runs the work while no other of this process has one of the locks. */
  return async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const held: string[] = []
    try {
      for (const name of names) {
        await queueOf(name).enter()
        held.push(name)
      }
      return await work()
    } finally {
      for (const name of held) leave(name)
    }
  }
}
