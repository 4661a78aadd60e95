import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../lib/clock.ts'
import { movedToName } from '../key-values.ts'
import type { Connection, PostgresValue } from '../postgres/connection.ts'
import { parseConnectionUrl } from '../postgres/connection-target.ts'
import { migratePostgres, refuseOtherVersion } from '../postgres/migrations.ts'
import { postgresStoreError } from '../postgres/postgres-database.ts'
import { checkStart, openAtStart } from '../postgres/start-checks.ts'
import { type MovedRow, type MovedTable, type MoveSource, type MoveTarget, movedTables } from './move.ts'

const tableNames = movedTables.map(({ name }) => name).join(', ')
const connectTimeoutMs = 10_000
/** Long: a large table is counted, and its rules are checked, in one statement. */
const statementTimeoutMs = 3_600_000
/** Servers ask the database for a sign of life every second, so one that has been still for longer has gone. */
const silentMs = 4_000

/** Opens a database to move it elsewhere. Until it is closed others may read it, and nobody may write. */
export function openPostgresSource(url: string, readFile: (path: string) => string): Promise<MoveSource> {
  return open(url, readFile, async (connection, name) => {
    await refuseOtherVersion(connection, name)
    const { query, ...side } = await beginSide(connection, name)
    for (let tries = 0; (await countServers(query)) > 0; tries += 1) {
      if (tries > silentMs / 500) throw new Error(`Servers are connected to ${name}. Stop them first.`)
      await sleep(500)
    }
    await query(`lock table ${tableNames} in exclusive mode`)
    return {
      ...side,
      async lastNumber({ name: table, numbered }) {
        if (numbered === undefined) return 0
        const sequence = `pg_get_serial_sequence('${table}', '${numbered.name}')::regclass`
        const [row] = await query<{ number: number | null }>(
          `select greatest(max(${numbered.name}), pg_sequence_last_value(${sequence})) as number from ${table}`,
        )
        return row?.number ?? 0
      },
      async noteMovedTo(note) {
        await query(
          'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
          [movedToName, note],
        )
        await query('commit')
      },
    }
  })
}

async function countServers(query: Query): Promise<number> {
  await query('select pg_stat_clear_snapshot()')
  const [row] = await query<{ count: number }>(
    `select count(*) as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'mintmark'
       and state_change > clock_timestamp() - interval '${silentMs} ms'`,
  )
  return row?.count ?? 0
}

/** Opens where a move writes to, and makes its tables when they are missing. Rejects if they have any row. */
export function openPostgresTarget(url: string, readFile: (path: string) => string): Promise<MoveTarget> {
  return open(url, readFile, async (connection, name) => {
    await checkStart(connection, systemClock, true)
    await migratePostgres(connection, name)
    const { query, ...side } = await beginSide(connection, name)
    // A server that starts at this moment has written before this, or waits until all is here.
    await query(`lock table ${tableNames} in access exclusive mode`)
    const counts = await query<{ found: string }>(
      movedTables
        .map(({ name }) => `select count(*) || ' in ${name}' as found from ${name} having count(*) > 0`)
        .join(' union all '),
    )
    if (counts.length > 0)
      throw new Error(
        `${name} has data already (rows: ${counts.map(({ found }) => found).join(', ')}). Name an empty database. Nothing was changed.`,
      )
    const foreignKeys = await query<{ drop: string; add: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    )
    for (const { drop } of foreignKeys) await query(drop)
    for (const table of movedTables) await query(`alter table ${table.name} disable trigger user`)
    return {
      ...side,
      async insert(table, rows) {
        refuseNul(table, rows)
        const values = table.columns.map((column) => rows.map((row) => row[column.name] ?? null))
        await query(insertInto(table), values)
      },
      async finish(lastNumbers) {
        for (const { add } of foreignKeys) await query(add)
        for (const table of movedTables) await query(`alter table ${table.name} enable trigger user`)
        for (const [{ name: table, numbered }, last] of lastNumbers)
          if (numbered !== undefined && last > 0)
            await query(`select setval(pg_get_serial_sequence('${table}', '${numbered.name}'), $1)`, [last])
        await query('analyze')
      },
      commit: async () => void (await query('commit')),
    }
  })
}

async function open<T>(
  url: string,
  readFile: (path: string) => string,
  work: (connection: Connection, name: string) => Promise<T>,
): Promise<T> {
  const target = parseConnectionUrl(url, readFile)
  const connection = await openAtStart(target, connectTimeoutMs)
  try {
    return await work(connection, target.name)
  } catch (error) {
    connection.destroy('the move is over')
    throw postgresStoreError(error, target.name)
  }
}

type Query = <Row extends object>(sql: string, values?: readonly PostgresValue[]) => Promise<readonly Row[]>

async function beginSide(connection: Connection, name: string) {
  const query: Query = async <Row extends object>(sql: string, values: readonly PostgresValue[] = []) => {
    try {
      const { rows } = await connection.send(sql, values, statementTimeoutMs)
      return rows as readonly unknown[] as readonly Row[]
    } catch (error) {
      throw postgresStoreError(error, name)
    }
  }
  // A move that was killed a moment ago may still have its last statement under way.
  await query(`begin; set local lock_timeout = '30s'; set local idle_in_transaction_session_timeout = 0`)
  return {
    kind: 'postgres' as const,
    name,
    query,
    async fact(fact: string) {
      const [row] = await query<{ value: string }>('select value from facts where name = $1', [fact])
      return row?.value
    },
    async count(table: MovedTable) {
      const [row] = await query<{ count: number }>(`select count(*) as count from ${from(table)}`)
      return row?.count ?? 0
    },
    async *rows(table: MovedTable) {
      const columns = table.columns.map((column) => column.name).join(', ')
      await query(`declare moved cursor for select ${columns} from ${from(table)} order by ${table.key}`)
      for (;;) {
        const rows = await query<MovedRow>(`fetch ${table.rowsAtOnce} from moved`)
        if (rows.length > 0) yield rows
        if (rows.length < table.rowsAtOnce) break
      }
      await query('close moved')
    },
    close: () => connection.destroy('the move is over'),
  }
}

function from({ name }: MovedTable): string {
  if (name === 'facts') return `(select name, value from facts where name <> '${movedToName}') as facts`
  if (name !== 'traffic_days') return name
  const kinds = 'day, endpoint, auth, status'
  return `(select ${kinds}, sum(count)::bigint as count from traffic_days group by ${kinds}) as traffic_days`
}

function insertInto({ name, columns }: MovedTable): string {
  const names = columns.map((column) => column.name).join(', ')
  const arrays = columns.map(({ postgresType }, index) => `$${index + 1}::${postgresType}[]`).join(', ')
  const shard = name === 'traffic_days' ? { column: ', shard', value: ", ''" } : { column: '', value: '' }
  return `insert into ${name} (${names}${shard.column}) overriding system value
    select ${names}${shard.value} from unnest(${arrays}) as moved (${names})`
}

/** PostgreSQL would only say that a byte is invalid. */
function refuseNul({ name, key }: MovedTable, rows: readonly MovedRow[]): void {
  const row = rows.find((each) =>
    Object.values(each).some((value) => typeof value === 'string' && value.includes('\0')),
  )
  if (row === undefined) return
  const id = key
    .split(', ')
    .map((column) => row[column])
    .join(' ')
  throw new Error(
    `The row ${id} of ${name} has a text with the character NUL, which PostgreSQL cannot store.`,
  )
}
