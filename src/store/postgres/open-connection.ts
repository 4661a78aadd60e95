import { type Connection, connectPostgres } from './connection.ts'
import type { ConnectionTarget } from './connection-target.ts'

/** A server of the target that answers and is read-only, such as a standby. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
}

interface Options {
  /** How long one server may take. */
  readonly timeoutMs: number
  /** The index of the server to begin with. */
  readonly first?: number
}

/**
 * Opens a connection to the first server that takes writes. Rejects with the error of the last server if none does;
 * that a server is read-only is said only where no other error is known.
 */
export async function openConnection(
  target: ConnectionTarget,
  { timeoutMs, first = 0 }: Options,
): Promise<{ readonly connection: Connection; readonly index: number }> {
  let problem: unknown
  for (let tries = 0; tries < target.hosts.length; tries += 1) {
    const index = (first + tries) % target.hosts.length
    const host = target.hosts[index]
    if (host === undefined) continue
    try {
      const connection = await connectPostgres(target, host, timeoutMs)
      if (await isWritable(connection, timeoutMs)) return { connection, index }
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
