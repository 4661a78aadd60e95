import { StoreError } from '../store-error.ts'
import type { Connection } from './connection.ts'
import { migrations } from './migrations.generated.ts'

export const postgresSchemaVersion = migrations.length
/** A table made by this product alone, so that a database of another product is not written to. */
export const versionTable = 'mintmark_schema'
const patienceMs = 60_000

/** Servers that start together wait for one another. Rejects for a database that is newer, not ours, or has lost tables. */
export async function migratePostgres(connection: Connection, name: string): Promise<void> {
  await connection.query('begin', [], patienceMs)
  try {
    await connection.query(`select pg_advisory_xact_lock(hashtext('${versionTable}'))`, [], patienceMs)
    const done = await versionOf(connection, name)
    if (done > migrations.length)
      throw new StoreError(
        'newer',
        `The database ${name} (DATABASE_URL) was written by a newer version of Mintmark. Start that version, or restore a backup from before.`,
      )
    for (const migration of migrations.slice(done)) await connection.query(migration, [], patienceMs)
    await connection.query(`update ${versionTable} set version = $1`, [migrations.length])
    await connection.query('commit', [], patienceMs)
  } catch (error) {
    connection.destroy('the migrations failed')
    throw error
  }
}

async function versionOf(connection: Connection, name: string): Promise<number> {
  const found = await connection.query<{ readonly name: string }>(
    `select c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  )
  const tableNames = new Set(found.map((row) => row.name))
  if (tableNames.size === 0) {
    await connection.query(`create table ${versionTable} (version integer not null)`)
    await connection.query(`insert into ${versionTable} values (0)`)
    return 0
  }
  if (!tableNames.has(versionTable))
    throw new Error(
      `The database ${name} (DATABASE_URL) has tables of another product, such as ${found[0]?.name}. Make an empty database for Mintmark and name that one.`,
    )
  const [row] = await connection.query<{ readonly version: number }>(`select version from ${versionTable}`)
  const version = row?.version ?? 0
  if (version > migrations.length) return version
  const lost = version === 0 ? [] : [...tablesOf(version)].filter((table) => !tableNames.has(table))
  if (row === undefined || lost.length > 0)
    throw new Error(
      `The database ${name} (DATABASE_URL) is incomplete: it lacks ${lost.join(', ') || 'its version'}. Restore a backup of it, or name an empty database.`,
    )
  return version
}

/** The tables that the first migrations make. */
function tablesOf(version: number): ReadonlySet<string> {
  const text = migrations.slice(0, version).join('\n')
  return new Set([...text.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table))
}

/** Rejects unless the database has the tables of this version. Changes nothing. */
export async function refuseOtherVersion(connection: Connection, name: string): Promise<void> {
  const [found] = await connection.query<{ readonly name: string | null }>(
    `select to_regclass('${versionTable}')::text as name`,
  )
  if (found?.name == null) throw new Error(`The database ${name} (DATABASE_URL) has no tables of Mintmark.`)
  const version = await versionOf(connection, name)
  if (version === migrations.length) return
  throw new Error(
    version > migrations.length
      ? `The database ${name} (DATABASE_URL) was written by a newer version of Mintmark. Use that version.`
      : `The database ${name} (DATABASE_URL) was written by an older version of Mintmark. Start a server of this version once, which brings its tables up to date.`,
  )
}
