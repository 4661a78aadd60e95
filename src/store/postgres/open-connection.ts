import { type Connection, connectPostgres } from './connection.ts'
import type { ConnectionTarget, DatabaseHost } from './connection-target.ts'

/** A server of the target that answers and is read-only, such as a standby. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
}

interface Options {
  /** How long one server may take. */
  readonly timeoutMs: number
  /** The server to begin with. */
  readonly first?: DatabaseHost | undefined
}

/**
 * Opens a connection to the first server that takes writes. Rejects with the error of the last server if none does;
 * that a server is read-only is said only where no other error is known.
 */
export async function openConnection(
  target: ConnectionTarget,
  { timeoutMs, first }: Options,
): Promise<{ readonly connection: Connection; readonly server: DatabaseHost }> {
  let problem: unknown
  for (const server of new Set([...(first === undefined ? [] : [first]), ...target.hosts])) {
    try {
      const connection = await connectPostgres(target, server, timeoutMs)
      if (await isWritable(connection, timeoutMs)) return { connection, server }
      connection.destroy('the server is read-only')
      problem ??= new ReadOnlyServer('The server is read-only.')
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** Whether the server takes writes now: a standby does not, nor does one that was set to read-only. */
export async function isWritable(connection: Connection, timeoutMs: number): Promise<boolean> {
  const [row] = await connection.query<{ readonly writable: boolean }>(
    `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
    [],
    timeoutMs,
  )
  return row?.writable === true
}
