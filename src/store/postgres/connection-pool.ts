import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { withinAwake } from '../../lib/clock.ts'
import { StoreError } from '../store-error.ts'
import {
  type Connection,
  clientOptions,
  isWritable,
  openConnection,
  ReadOnlyServer,
  watchClient,
} from './connection.ts'
import type { ConnectionTarget, DatabaseHost } from './connection-target.ts'

export type ConnectionPool = ReturnType<typeof createConnectionPool>

/** Beside the one of the meter. */
const connectionsMax = 8

/** Connections that are lent to one transaction or statement at a time. */
export function createConnectionPool(
  target: ConnectionTarget,
  getLink: () => Pick<DatabaseLink, 'server' | 'isAway'>,
) {
  const isAway = () => getLink().isAway()
  const connections = new Map<unknown, Connection>()
  class PooledClient extends Client {
    constructor(options?: ClientConfig) {
      super({ ...options, ...clientOptions(target, getLink().server(), patienceMs) })
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
    async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      if (pool.ending || isAway()) throw away()
      const client = await checkOut().catch((error) => {
        // A server that was restarted is back in a moment; one that stays away is soon known to be.
        throw error instanceof StoreError ? error : away(error, isAway() ? 'failing' : 'interrupted')
      })
      const connection = connectionOf(client)
      try {
        return await work(connection)
      } finally {
        client.release(!connection.isOpen())
      }
    },
    abandon() {
      for (const connection of [...connections.values()]) connection.destroy('the database is away')
    },
    close() {
      if (!pool.ending) void pool.end()
    },
  }
}

function away(cause?: unknown, kind: 'failing' | 'interrupted' = 'failing'): StoreError {
  const words = kind === 'failing' ? 'does not answer' : 'does not answer now'
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new StoreError(kind, `The database (DATABASE_URL) ${words}${reason}`, cause)
}

export type DatabaseLink = ReturnType<typeof createDatabaseLink>

interface Deps {
  readonly target: ConnectionTarget
  /** Called with each new connection before it is used. Rejects when the connection is of no use. */
  readonly prepare: (connection: Connection) => Promise<void>
  readonly onOpen: (connection: Connection) => void
  readonly onAway: (problem: unknown) => void
}

/** Callers wait so long for a database before they are answered 503. */
export const patienceMs = 1_500
/** A packet that a frozen network swallowed is sent again after a second. Each try in vain doubles the time. */
const openTimeoutMsMin = 500
const openTimeoutMsMax = 4_000
/** The next connection may take so many times as long to open as the last one took. */
const openTimeFactor = 3
const retryDelayMs = 100
const heartbeatMs = 500

/** A connection that is opened again, to whichever of the servers takes writes, whenever it was lost. */
export function createDatabaseLink({ target, prepare, onOpen, onAway }: Deps) {
  let current: Connection | undefined
  let isAway = false
  let isClosed = false
  let lostAtMs = performance.now()
  let server: DatabaseHost | undefined
  let lastProblem: unknown
  let openTimeoutMs = openTimeoutMsMax

  function noteAway(problem: unknown): void {
    lastProblem = problem
    if (isAway || isClosed || performance.now() - lostAtMs < patienceMs) return
    isAway = true
    onAway(problem)
  }

  async function open(): Promise<Connection> {
    const timeoutMs = openTimeoutMs
    const startMs = performance.now()
    openTimeoutMs = Math.min(openTimeoutMsMax, 2 * timeoutMs)
    const opened = await openConnection(target, { timeoutMs, first: server })
    const tookMs = performance.now() - startMs
    openTimeoutMs = Math.min(openTimeoutMsMax, Math.max(openTimeoutMsMin, openTimeFactor * tookMs))
    server = opened.server
    try {
      await prepare(opened.connection)
    } catch (error) {
      opened.connection.destroy('it could not be prepared')
      throw error
    }
    return opened.connection
  }

  async function keepOpen(): Promise<void> {
    while (!isClosed) {
      try {
        const connection = await open()
        current = connection
        isAway = false
        onOpen(connection)
        await watch(connection)
      } catch (error) {
        noteAway(error)
        await sleep(retryDelayMs)
      }
    }
  }

  /** Resolves when the connection has ended. A silent one is asked whether it is there, and still takes writes. */
  async function watch(connection: Connection): Promise<void> {
    const timer = setInterval(() => {
      isWritable(connection, patienceMs).then(
        (writable) => writable || connection.destroy('the server is read-only now'),
        () => connection.destroy('the server does not answer'),
      )
    }, heartbeatMs)
    const loss = await connection.ended
    clearInterval(timer)
    current = undefined
    // Callers of a silent server have waited long enough; a connection that was cut may be back in a moment.
    lostAtMs = performance.now() - (loss.isSilent ? patienceMs : 0)
    noteAway(loss)
    // Nobody waits for as long as a try to open a connection may take.
    setTimeout(() => current ?? noteAway(lastProblem), patienceMs + retryDelayMs).unref()
  }

  void keepOpen()
  return {
    connection: () => current,
    server: () => server,
    /** True: nobody waits for the database, until it is back. */
    isAway: () => isAway,
    absentMs: () => (current === undefined ? performance.now() - lostAtMs : 0),
    problem: () => lastProblem,
    close() {
      isClosed = true
      current?.destroy('the store is closed')
    },
  }
}
