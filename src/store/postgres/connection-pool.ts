import { StoreError } from '../store-error.ts'
import type { Connection } from './connection.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { openConnection } from './open-connection.ts'

/** Connections that are lent to one transaction or statement at a time. */
export interface ConnectionPool {
  /** Rejects with the error of the work, or with a `StoreError` if there is no connection in time. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): void
}

interface Options {
  readonly target: ConnectionTarget
  readonly connectionsMax: number
  /** Whether the database is away, so that nobody should wait for it. */
  readonly isAway: () => boolean
}

/** How long a caller waits for a connection. */
const patienceMs = 1_500

interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>
  start(): void
}

export function createConnectionPool({ target, connectionsMax, isAway }: Options): ConnectionPool {
  const idle: Connection[] = []
  const waiting: Waiting[] = []
  let inUse = 0
  let isClosed = false

  /** Resolves when this caller may have one of the connections. */
  function enter(): Promise<void> {
    if (inUse < connectionsMax) {
      inUse += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        timer: setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(new StoreError('locked', 'Every connection to the database (DATABASE_URL) is in use.'))
        }, patienceMs),
        start: resolve,
      }
      waiting.push(entry)
    })
  }

  /** Hands the place to whoever waits longest. */
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) inUse -= 1
    else {
      clearTimeout(next.timer)
      next.start()
    }
  }

  async function borrow(): Promise<Connection> {
    for (;;) {
      const connection = idle.pop()
      if (connection === undefined)
        return (await openConnection(target, { timeoutMs: patienceMs })).connection
      if (connection.isOpen()) return connection
    }
  }

  function returnToPool(connection: Connection): void {
    if (!connection.isOpen()) return
    if (isClosed) connection.destroy('the store is closed')
    else idle.push(connection)
  }

  return {
    async use(work) {
      if (isClosed || isAway()) throw away()
      await enter()
      try {
        const connection = await borrow().catch((error) => {
          throw away(error)
        })
        try {
          return await work(connection)
        } finally {
          returnToPool(connection)
        }
      } finally {
        leave()
      }
    },
    close() {
      isClosed = true
      for (const connection of idle.splice(0)) connection.destroy('the store is closed')
    },
  }
}

function away(cause?: unknown): StoreError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new StoreError('failing', `The database (DATABASE_URL) does not answer${reason}`, cause)
}
