import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { withinAwake } from '../../lib/awake-time.ts'
import { StoreError } from '../store-error.ts'
import { type Connection, clientOptions, isWritable, ReadOnlyServer, watchClient } from './connection.ts'
import type { ConnectionTarget, DatabaseHost } from './connection-target.ts'

export type ConnectionPool = ReturnType<typeof createConnectionPool>

interface Options {
  readonly target: ConnectionTarget
  readonly connectionsMax: number
  /** The server that takes writes now, as far as is known. */
  readonly server: () => DatabaseHost | undefined
  /** Whether the database is away, so that nobody should wait for it. */
  readonly isAway: () => boolean
}

/** How long a caller waits for a connection. */
const patienceMs = 1_500

/** Connections that are lent to one transaction or statement at a time. */
export function createConnectionPool({ target, connectionsMax, server, isAway }: Options) {
  const connections = new Map<unknown, Connection>()
  class PooledClient extends Client {
    constructor(options?: ClientConfig) {
      super({ ...options, ...clientOptions(target, server(), patienceMs) })
      connections.set(this, watchClient(this))
    }
  }
  const pool = new Pool({
    Client: PooledClient,
    max: connectionsMax,
    idleTimeoutMillis: 0,
    verify(client, done) {
      const connection = connectionOf(client)
      isWritable(connection, patienceMs).then(
        (writable) => (writable ? done() : done(new ReadOnlyServer('The server is read-only.'))),
        done,
      )
    },
  })
  // Each connection tells its loss itself.
  pool.on('error', () => {})
  pool.on('remove', (client) => connections.delete(client))

  function connectionOf(client: unknown): Connection {
    const connection = connections.get(client)
    if (connection === undefined) throw new Error('The connection is not of this pool.')
    return connection
  }

  async function checkOut(): Promise<PoolClient> {
    let isLate = false
    const client = pool.connect()
    // It is there, or is opened in bounded time.
    if (pool.idleCount >= pool.waitingCount) return await client
    client.then(
      (found) => isLate && found.release(),
      () => {},
    )
    return await withinAwake(client, patienceMs, () => {
      isLate = true
      return new StoreError('locked', 'Every connection to the database (DATABASE_URL) is in use.')
    })
  }

  return {
    /** Rejects with the error of the work, or with a `StoreError` if there is no connection in time. */
    async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      if (pool.ending || isAway()) throw away()
      const client = await checkOut().catch((error) => {
        // A server that was restarted is back in a moment; one that stays away is soon known to be.
        throw error instanceof StoreError ? error : isAway() ? away(error) : unreachable(error)
      })
      const connection = connectionOf(client)
      try {
        return await work(connection)
      } finally {
        client.release(!connection.isOpen())
      }
    },
    /** Ends every connection: nobody should wait for the answers of a server that is away. */
    abandon() {
      for (const connection of [...connections.values()]) connection.destroy('the database is away')
    },
    close() {
      if (!pool.ending) void pool.end()
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
