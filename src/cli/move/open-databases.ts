import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../lib/clock.ts'
import type { MoveSource, MoveTarget } from '../../store/move/move-side.ts'
import { createPostgresSource } from '../../store/move/postgres-source.ts'
import { createPostgresTarget } from '../../store/move/postgres-target.ts'
import { openSqliteSource } from '../../store/move/sqlite-source.ts'
import { openSqliteTarget } from '../../store/move/sqlite-target.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { ConnectionLost } from '../../store/postgres/connection-lost.ts'
import { type ConnectionTarget, parseConnectionUrl } from '../../store/postgres/connection-target.ts'
import { migratePostgres, refuseOtherVersion } from '../../store/postgres/migrations.ts'
import { openConnection } from '../../store/postgres/open-connection.ts'
import { checkStart } from '../../store/postgres/start-checks.ts'
import { startProblem } from '../../store/postgres/start-problem.ts'
import { readText } from '../read-text.ts'

const connectTimeoutMs = 10_000
const secondMoveTries = 20

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** Opens what is moved. `option` names where the URL comes from, for messages. */
export function openSource(url: string, option: string): Promise<MoveSource> {
  return naming(option, async () => {
    if (!isPostgres(url)) return openSqliteSource(sqlitePath(url))
    const { connection, target } = await connect(url)
    await refuseOtherVersion(connection, target.name)
    return createPostgresSource(connection, target.name)
  })
}

/** Opens where it is moved to, and makes its tables when they are missing. */
export function openTarget(url: string, option: string): Promise<MoveTarget> {
  return naming(option, async () => {
    if (!isPostgres(url)) return openSqliteTarget(sqlitePath(url))
    const { connection, target } = await connect(url)
    await checkStart(connection, { clock: systemClock, hasMasterKey: true })
    await migratePostgres(connection, target.name)
    const lock = await refuseSecondMove(target)
    const side = createPostgresTarget(connection, target.name)
    return {
      ...side,
      async close() {
        await side.close()
        lock.destroy('the move is over')
      },
    }
  })
}

async function connect(
  url: string,
): Promise<{ readonly connection: Connection; readonly target: ConnectionTarget }> {
  const target = parseConnectionUrl(url, readText)
  const connection = await openNamed(target)
  // Not the name of a server: those are looked for before anything is moved away from them.
  await connection.query(`set application_name = 'mintmark move'`)
  return { connection, target }
}

async function openNamed(target: ConnectionTarget): Promise<Connection> {
  try {
    return (await openConnection(target, { timeoutMs: connectTimeoutMs })).connection
  } catch (error) {
    throw startProblem(error, target.name)
  }
}

/**
 * Holds a lock for as long as the process lives. A transaction of its own holds it, because a pooler gives a session's
 * locks to whoever comes next. One that was killed a moment ago may still have its last statement under way.
 */
async function refuseSecondMove(target: ConnectionTarget): Promise<Connection> {
  const connection = await openNamed(target)
  await connection.query('begin')
  await connection.query('set local idle_in_transaction_session_timeout = 0')
  for (let tries = 0; tries < secondMoveTries; tries += 1) {
    const [row] = await connection.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('mintmark move')) as taken`,
    )
    if (row?.taken === true) return connection
    await sleep(500)
  }
  connection.destroy('another move has the lock')
  throw new Error(`Another move writes to ${target.name}.`)
}

function sqlitePath(url: string): string {
  const path = url.replace(/^sqlite:/, '')
  if (path !== url && path !== '' && path !== ':memory:') return path
  throw new Error('DATABASE_URL must be sqlite:<path> or postgres://user:password@host:port/database.')
}

/** Replaces DATABASE_URL in the errors of a database by the option's name. */
async function naming<T>(option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof ConnectionLost)
      throw new Error(`${option}: ${error.message} Run the same again.`, { cause: error })
    throw new Error(error.message.replaceAll('DATABASE_URL', option), { cause: error })
  }
}
