import { Client, type ClientConfig, type QueryResultRow, types } from 'pg'
import { setAwakeTimeout } from '../../lib/awake-time.ts'
import { ConnectionLost, isConnectionFault, sqlState } from './connection-lost.ts'
import type { ConnectionTarget, DatabaseHost } from './connection-target.ts'
import { type Keeping, type PlainValue, type TextStatement, textQuery } from './text-query.ts'

/** A value that can be sent as a parameter. */
export type PostgresValue = null | number | string | boolean | Uint8Array | readonly PostgresValue[]

/** One session with a PostgreSQL server. Statements may be sent before the ones ahead of them are answered. */
export interface Connection {
  /**
   * Rejects with `ConnectionLost` when it cannot be known whether the statement was executed, also after `timeoutMs`,
   * which ends the connection. Any other error comes from the server, and nothing of the statement is stored.
   */
  query<Row extends QueryResultRow>(
    sql: string,
    values?: readonly PostgresValue[],
    timeoutMs?: number,
  ): Promise<readonly Row[]>
  /** Like `query`, but also returns the number of changed rows. */
  send<Row extends QueryResultRow>(
    sql: string,
    values: readonly PostgresValue[],
    timeoutMs?: number,
  ): Promise<QueryResult<Row>>
  /** Like `query` for a statement that answers one text, at less cost. */
  ask(statement: TextStatement, values: readonly PlainValue[], timeoutMs?: number): Promise<string | null>
  /** From now on `ask` has the session keep statements, unless a pooler stands between. */
  keepStatements(): Promise<void>
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<ConnectionLost>
  isOpen(): boolean
  /** Ends the connection at once. Statements without an answer reject. */
  destroy(reason: string): void
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  readonly count: number
}

const statementTimeoutMs = 10_000

/** Opens a connection to one of the target's servers. Rejects with the error of the network or the server. */
export async function connectPostgres(
  target: ConnectionTarget,
  server: DatabaseHost,
  timeoutMs: number,
): Promise<Connection> {
  const client = new Client(clientOptions(target, server, timeoutMs))
  const connection = watchClient(client)
  try {
    await client.connect()
  } catch (error) {
    connection.destroy('it was not opened')
    throw error
  }
  return connection
}

/** @param server the first of the target when missing */
export function clientOptions(
  target: ConnectionTarget,
  server: DatabaseHost | undefined,
  connectionTimeoutMillis: number,
): ClientConfig {
  const { host, port } = server ?? { ...target.hosts[0] }
  return {
    host,
    port,
    user: target.user,
    // Without a password the driver would look for one in a file of the user's home.
    password: target.password,
    database: target.database,
    ssl: target.tls,
    application_name: 'mintmark',
    connectionTimeoutMillis,
    types: { getTypeParser },
    keepAlive: true,
    pipeline: true,
  }
}

/** Starts a statement that calls one of the two when it is over. */
type Start<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => void

/** Adds what the driver does not promise: every statement settles, in bounded time, and says whether its fate is known. */
export function watchClient(client: Client): Connection {
  const unanswered = new Set<(error: ConnectionLost) => void>()
  let loss: ConnectionLost | undefined
  let resolveEnded: (loss: ConnectionLost) => void = () => {}
  const ended = new Promise<ConnectionLost>((resolve) => {
    resolveEnded = resolve
  })

  function end(cause: unknown, isSilent = false): void {
    if (loss !== undefined) return
    loss = new ConnectionLost(cause, isSilent)
    for (const reject of unanswered) reject(loss)
    unanswered.clear()
    socketOf(client)?.destroy()
    resolveEnded(loss)
  }
  client.on('error', (error) => end(error))
  client.on('end', () => end(new Error('The server closed the connection.')))

  function settle<T>(start: Start<T>, timeoutMs = statementTimeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      if (loss !== undefined) return reject(loss)
      const timer = setAwakeTimeout(
        () => end(new Error(`No answer within ${timeoutMs} ms.`), true),
        timeoutMs,
      )
      function finish(action: () => void): void {
        timer.clear()
        unanswered.delete(rejectLost)
        action()
      }
      function rejectLost(error: ConnectionLost): void {
        finish(() => reject(error))
      }
      unanswered.add(rejectLost)
      start(
        (value) => finish(() => resolve(value)),
        (error) => (isConnectionFault(error) ? end(error) : finish(() => reject(error))),
      )
    })
  }

  /** The statements that the session keeps; undefined: it keeps none. */
  let kept: Set<TextStatement> | undefined

  async function ask(text: TextStatement, values: readonly PlainValue[], timeoutMs?: number) {
    const keeping = kept === undefined ? 'none' : kept.has(text) ? 'known' : 'new'
    kept?.add(text)
    try {
      return await settle(question(client, text, keeping, values), timeoutMs)
    } catch (error) {
      if (keeping === 'none' || !otherSession.has(sqlState(error) ?? '')) throw error
      // The server did not get as far as to execute it.
      kept = undefined
      return await settle(question(client, text, 'none', values), timeoutMs)
    }
  }

  return {
    query: async (sql, values = [], timeoutMs) =>
      (await settle(statement<never>(client, sql, values), timeoutMs)).rows,
    send: (sql, values, timeoutMs) => settle(statement(client, sql, values), timeoutMs),
    ask,
    async keepStatements() {
      const { rows } = await settle(statement<{ readonly pid: number }>(client, backendPid, []))
      // A pooler has numbers of its own for its sessions.
      if (rows[0]?.pid === processIdOf(client)) kept = new Set()
    },
    ended,
    isOpen: () => loss === undefined,
    destroy: (reason) => end(new Error(reason)),
  }
}

function statement<Row extends QueryResultRow>(
  client: Client,
  sql: string,
  values: readonly PostgresValue[],
): Start<QueryResult<Row>> {
  return (resolve, reject) => {
    client.query<Row>(sql, values.length === 0 ? undefined : values.map(storable)).then(
      // Several statements in one text have no result of their own.
      ({ rows = [], rowCount = 0 }) => resolve({ rows, count: rowCount ?? 0 }),
      reject,
    )
  }
}

function question(
  client: Client,
  statement: TextStatement,
  keeping: Keeping,
  values: readonly PlainValue[],
): Start<string | null> {
  return (resolve, reject) => {
    client.query(textQuery(statement, keeping, values.map(storable), resolve, reject))
  }
}

/** PostgreSQL has no text with a NUL, which any caller may send: it becomes the sign for what cannot be shown. */
function storable<T extends PostgresValue>(value: T): T
function storable(value: PostgresValue): PostgresValue {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(storable) : value
}

const backendPid = 'select pg_backend_pid() as pid'
/** The statement is not kept there, or one with its name is. */
const otherSession: ReadonlySet<string> = new Set(['26000', '42P05'])

function processIdOf(client: Client): number | undefined {
  return (client as unknown as { readonly processID?: number }).processID
}

/** Types bigint and numeric; a sum of bigints is a numeric. */
const numberOids: ReadonlySet<number> = new Set([20, 1700])

/** Counts, times and amounts are bigints in the database and stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return numberOids.has(oid) ? Number : types.getTypeParser(oid, format)
}

/** The driver closes a connection only after the last answer, which a frozen network never brings. */
function socketOf(client: Client): { destroy(): void } | undefined {
  return (client as unknown as { readonly connection?: { readonly stream?: { destroy(): void } } }).connection
    ?.stream
}
