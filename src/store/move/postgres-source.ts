import type { Connection } from '../postgres/connection.ts'
import { moveMarks } from './move-marks.ts'
import type { MoveSource } from './move-side.ts'
import { createPostgresSide } from './postgres-side.ts'

/** Servers ask the database for a sign of life every second, so one that has been still for longer has gone. */
const silentMs = 4_000

/** Makes a source of a connection to a PostgreSQL database whose tables are up to date. */
export function createPostgresSource(connection: Connection, name: string): MoveSource {
  const side = createPostgresSide(connection, name)
  const { query } = side

  async function countServers(): Promise<number> {
    const [row] = await query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = 'mintmark'
         and state_change > clock_timestamp() - interval '${silentMs} ms'`,
    )
    return row?.count ?? 0
  }

  async function refuseServers(): Promise<void> {
    for (let tries = 0; (await countServers()) > 0; tries += 1) {
      if (tries > silentMs / 500)
        throw new Error(
          `Servers are connected to ${name}. Stop them first; to copy while they serve, add --live.`,
        )
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }

  return {
    ...side,
    async freeze(tables) {
      await refuseServers()
      // Until the end of the transaction, which lasts as long as the move, others may read and nobody else may write.
      await query('begin')
      await query(`set local lock_timeout = '10s'`)
      await query('set local idle_in_transaction_session_timeout = 0')
      await query(`lock table ${tables.map((table) => table.name).join(', ')} in share mode`)
    },
    async noteMovedTo(target, atMs) {
      await query(
        'insert into facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        [moveMarks.movedTo, `${atMs} ${target}`],
      )
      await query('commit')
    },
    reopen: async () => void (await query('delete from facts where name = ?', [moveMarks.movedTo])),
  }
}
