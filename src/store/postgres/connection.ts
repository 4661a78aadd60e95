import { Buffer } from 'node:buffer'
import { Client, type ClientConfig, Query, type QueryResultRow, types, type Connection as Wire } from 'pg'
import { serialize } from 'pg-protocol'
import { setAwakeTimeout } from '../../lib/clock.ts'
import type { ConnectionTarget, DatabaseHost } from './connection-target.ts'

/** One session with a PostgreSQL server. Statements may be sent before the ones ahead of them are answered. */
export type Connection = ReturnType<typeof watchClient>

export type PostgresValue = null | number | string | boolean | Uint8Array | readonly PostgresValue[]

/** Opens a connection to the first server that takes writes. That one is read-only is its error only where there is no other. */
export async function openConnection(
  target: ConnectionTarget,
  { timeoutMs, first }: { readonly timeoutMs: number; readonly first?: DatabaseHost | undefined },
): Promise<{ readonly connection: Connection; readonly server: DatabaseHost }> {
  let problem: unknown
  for (const server of new Set([...(first === undefined ? [] : [first]), ...target.hosts])) {
    const client = new Client(clientOptions(target, server, timeoutMs))
    const connection = watchClient(client)
    try {
      await client.connect()
      if (await isWritable(connection, timeoutMs)) return { connection, server }
      problem ??= new ReadOnlyServer('The server is read-only.')
    } catch (error) {
      problem = error
    }
    connection.destroy('it is of no use')
  }
  throw problem
}

/** A server of the target that answers and is read-only, such as a standby. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
}

/** A standby takes no writes, nor does a server that was set to read-only. */
export async function isWritable(connection: Connection, timeoutMs: number): Promise<boolean> {
  const [row] = await connection.query<{ readonly writable: boolean }>(
    `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
    [],
    timeoutMs,
  )
  return row?.writable === true
}

export function clientOptions(
  target: ConnectionTarget,
  server: DatabaseHost | undefined,
  connectionTimeoutMillis: number,
): ClientConfig {
  return {
    ...(server ?? target.hosts[0]),
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

/** Types bigint and numeric; a sum of bigints is a numeric. */
const numberOids: ReadonlySet<number> = new Set([20, 1700])

/** Counts, times and amounts are bigints in the database and stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return numberOids.has(oid) ? Number : types.getTypeParser(oid, format)
}

type Start<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => void

const statementTimeoutMs = 10_000
/** The statement is not kept there, or one with its name is. */
const otherSession: ReadonlySet<string> = new Set(['26000', '42P05'])

/** Adds what the driver does not promise: every statement settles, in bounded time, and says whether its fate is known. */
export function watchClient(client: Client) {
  const unanswered = new Set<(error: ConnectionLost) => void>()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<ConnectionLost>()
  let loss: ConnectionLost | undefined
  let kept: Set<TextStatement> | undefined

  function end(cause: unknown, isSilent = false): void {
    if (loss !== undefined) return
    loss = new ConnectionLost(cause, isSilent)
    for (const reject of unanswered) reject(loss)
    unanswered.clear()
    partsOf(client).connection?.stream?.destroy()
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
      const rejectLost = (error: ConnectionLost) => finish(() => reject(error))
      unanswered.add(rejectLost)
      start(
        (value) => finish(() => resolve(value)),
        (error) => (isConnectionFault(error) ? end(error) : finish(() => reject(error))),
      )
    })
  }

  function send<Row extends QueryResultRow>(
    sql: string,
    values: readonly PostgresValue[],
    timeoutMs?: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly count: number }> {
    return settle((resolve, reject) => {
      client.query<Row>(sql, values.length === 0 ? undefined : values.map(storable)).then(
        // Several statements in one text have no result of their own.
        ({ rows = [], rowCount }) => resolve({ rows, count: rowCount ?? 0 }),
        reject,
      )
    }, timeoutMs)
  }

  return {
    /**
     * Rejects with `ConnectionLost` when it cannot be known whether the statement was executed, also after
     * `timeoutMs`, which ends the connection. Any other error comes from the server, and nothing is stored.
     */
    query: async <Row extends QueryResultRow>(
      sql: string,
      values: readonly PostgresValue[] = [],
      timeoutMs?: number,
    ): Promise<readonly Row[]> => (await send<Row>(sql, values, timeoutMs)).rows,
    send,
    /** Like `query` for a statement that answers one text, at less cost. */
    async ask(text: TextStatement, values: readonly PlainValue[], timeoutMs?: number) {
      const keeping = kept === undefined ? 'none' : kept.has(text) ? 'known' : 'new'
      kept?.add(text)
      const sendAs = (as: Keeping) =>
        settle<string | null>((resolve, reject) => {
          client.query(textQuery(text, as, values.map(storable), resolve, reject))
        }, timeoutMs)
      try {
        return await sendAs(keeping)
      } catch (error) {
        if (keeping === 'none' || !otherSession.has(sqlState(error) ?? '')) throw error
        // The server did not get as far as to execute it.
        kept = undefined
        return await sendAs('none')
      }
    },
    /** From now on `ask` has the session keep statements, unless a pooler stands between. */
    async keepStatements(): Promise<void> {
      const { rows } = await send<{ readonly pid: number }>('select pg_backend_pid() as pid', [])
      // A pooler has numbers of its own for its sessions.
      if (rows[0]?.pid === partsOf(client).processID) kept = new Set()
    },
    ended,
    isOpen: () => loss === undefined,
    /** Ends the connection at once. Statements without an answer reject. */
    destroy: (reason: string) => end(new Error(reason)),
  }
}

/** The driver closes a connection only after the last answer, which a frozen network never brings. */
function partsOf(client: Client) {
  return client as unknown as {
    readonly processID?: number
    readonly connection?: { readonly stream?: { destroy(): void } }
  }
}

/** PostgreSQL has no text with a NUL, which any caller may send: it becomes the sign for what cannot be shown. */
function storable<T extends PostgresValue>(value: T): T
function storable(value: PostgresValue): PostgresValue {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(storable) : value
}

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'

  /** Neither an answer nor an end of the connection came. */
  readonly isSilent: boolean

  constructor(cause: unknown, isSilent = false) {
    super(`The connection was lost: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.isSilent = isSilent
  }
}

/** The five characters that PostgreSQL gives to an error, such as `55P03`; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Such an error ends the session: a fatal one of the server, or one of the network, which has no SQLSTATE. */
export function isConnectionFault(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return true
  const severity = (error as { readonly severity?: unknown }).severity
  return severity === 'FATAL' || severity === 'PANIC' || state.startsWith('08')
}

interface TextStatement {
  readonly name: string
  readonly parse: Buffer
  readonly keep: Buffer
}

type Keeping = 'none' | 'new' | 'known'

export type PlainValue = string | number | null

export function textStatement(name: string, sql: string): TextStatement {
  return { name, parse: serialize.parse({ text: sql }), keep: serialize.parse({ name, text: sql }) }
}

/** A query in one piece: the driver writes five messages by a system call each, and asks what the answer will be, one text. */
function textQuery(
  { name, parse, keep }: TextStatement,
  keeping: Keeping,
  values: readonly PlainValue[],
  resolve: (text: string | null) => void,
  reject: (error: Error) => void,
): Query {
  let text: string | null = null
  const query = new Query('', [], (error: Error | null | undefined) =>
    error == null ? resolve(text) : reject(error),
  )
  return Object.assign(query, {
    submit({ stream }: Wire): null {
      const texts = values.map((value) => (value === null ? null : String(value)))
      const bind = serialize.bind(keeping === 'none' ? { values: texts } : { statement: name, values: texts })
      const ahead = keeping === 'known' ? [] : [keeping === 'new' ? keep : parse]
      if (stream.writable)
        stream.write(Buffer.concat([...ahead, bind, serialize.execute(), serialize.sync()]))
      return null
    },
    handleDataRow({ fields: [field = null] }: { readonly fields: readonly (string | null)[] }): void {
      text = field
    },
  })
}
