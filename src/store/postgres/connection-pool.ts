import { StoreError } from '../store-error.ts'
import type { Connection } from './connection.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { openConnection } from './open-connection.ts'
import { createSemaphore } from './semaphore.ts'

/** Connections that are lent to one transaction or statement at a time. */
export interface ConnectionPool {
  /** Rejects with the error of the work, or with a `StoreError` if there is no connection in time. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Lends a connection of its own, also where all others are in use and where the database is held to be away. */
  useNew<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Ends every connection but the new ones: nobody should wait for the answers of a server that is away. */
  abandon(): void
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

export function createConnectionPool({ target, connectionsMax, isAway }: Options): ConnectionPool {
  const idle: Connection[] = []
  const opened = new Set<Connection>()
  const places = createSemaphore({
    places: connectionsMax,
    patienceMs,
    problem: 'Every connection to the database (DATABASE_URL) is in use.',
  })
  let isClosed = false

  async function open(): Promise<Connection> {
    return (await openConnection(target, { timeoutMs: patienceMs })).connection
  }

  async function openForPool(): Promise<Connection> {
    const connection = await open()
    opened.add(connection)
    void connection.ended.then(() => opened.delete(connection))
    return connection
  }

  async function borrow(): Promise<Connection> {
    for (;;) {
      const connection = idle.pop()
      if (connection === undefined) return await openForPool()
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
      await places.enter()
      try {
        const connection = await borrow().catch((error) => {
          // A server that was restarted is back in a moment; one that stays away is soon known to be.
          throw isAway() ? away(error) : unreachable(error)
        })
        try {
          return await work(connection)
        } finally {
          returnToPool(connection)
        }
      } finally {
        places.leave()
      }
    },
    async useNew(work) {
      const connection = await open()
      try {
        return await work(connection)
      } finally {
        connection.destroy('its work is done')
      }
    },
    abandon() {
      for (const connection of [...opened]) connection.destroy('the database is away')
    },
    close() {
      isClosed = true
      for (const connection of idle.splice(0)) connection.destroy('the store is closed')
    },
  }
}

function away(cause?: unknown): StoreError {
  return new StoreError('failing', `The database (DATABASE_URL) does not answer${reasonOf(cause)}`, cause)
}

function unreachable(cause: unknown): StoreError {
  return new StoreError(
    'interrupted',
    `The database (DATABASE_URL) does not answer now${reasonOf(cause)}`,
    cause,
  )
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `: ${cause.message}` : ''
}
