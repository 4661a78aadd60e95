import { readFileSync } from 'node:fs'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import type { Connection } from '../../src/store/postgres/connection.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { openServer, openSession } from '../store/postgres/databases.ts'
import { atEnd } from './at-end.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

/** Whether the tests of the API run over PostgreSQL, each file of SQLite being a database of it. `on-postgres.ts` sets it. */
export const isOnPostgres = process.env['TEST_STORE'] === 'postgres'

const masterKey = '7e'.repeat(32)

/** The settings of a server that keeps everything in this folder, or in the database that stands for the folder. */
export async function databaseSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  return isOnPostgres ? { DATABASE_URL: await databaseOf(folder), MASTER_KEY: masterKey } : {}
}

interface TestStoreOptions {
  /** A file, or the database that stands for it; `:memory:` is a new one each time. The URL of a database is that. */
  readonly path: string
  readonly clock?: Clock
}

export async function openTestStore({ path, clock = systemClock }: TestStoreOptions): Promise<Store> {
  if (!isOnPostgres && !path.startsWith('postgres:')) return openStore({ path, clock })
  let looks = 0
  return await openPostgres({
    url: await databaseOf(path === ':memory:' ? `${path}${serial}` : path),
    // A server refuses to start under a clock that is not the database's: it looks before and after it asks for that.
    clock: { now: () => (looks++ < 2 ? Date.now() : clock.now()) },
    hasMasterKey: true,
    readFile: () => '',
  })
}

const databases = new Map<string, Promise<string>>()
let serial = 0

/** The URL of the database that stands for a file or folder. It is made when it is asked for first. */
function databaseOf(path: string): Promise<string> {
  if (path.startsWith('postgres:')) return Promise.resolve(path)
  const folder = folderOf(path)
  const known = databases.get(folder)
  if (known !== undefined) return known
  serial += 1
  const made = makeDatabase(`test_${serial}`)
  databases.set(folder, made)
  return made
}

/** A server is given its folder, in which its file has one name. */
function folderOf(path: string): string {
  return path.replace(/\/mintmark\.sqlite$/, '')
}

/** Runs one statement of SQL that both dialects understand, beside the store, on a file or the database that stands for it. */
export async function queryTestStore<Row extends object>(path: string, sql: string): Promise<readonly Row[]> {
  if (!isOnPostgres) {
    const file = new DatabaseSync(path)
    const rows = file.prepare(sql).all() as unknown as Row[]
    file.close()
    return rows
  }
  const session = await openSession(await databaseOf(path))
  const rows = await session.query<Row>(sql)
  session.destroy('it is answered')
  return rows
}

/** Every byte of the file and its journal, or all that is in the database that stands for it. */
export async function everythingIn(path: string): Promise<Buffer> {
  if (!isOnPostgres) return Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)))
  const { postgres } = await openCluster()
  return Buffer.from(postgres.dump(new URL(await databaseOf(path)).pathname.slice(1)))
}

/** Removes the database that stands for a file or folder, which goes too. */
export async function dropDatabaseOf(path: string): Promise<void> {
  const made = databases.get(folderOf(path))
  // At once, because a server may be stopped twice at the same time.
  databases.delete(folderOf(path))
  const url = await made
  if (url === undefined) return
  const { session } = await openCluster()
  const drop = `drop database ${new URL(url).pathname.slice(1)} with (force)`
  for (let tries = 1; ; tries++) {
    try {
      await session.query(drop)
      return
    } catch (error) {
      // The cluster's own cleaning may be at work in it, which nobody but its owner may end.
      if (tries === 100) throw error
      await Bun.sleep(50)
    }
  }
}

const template = 'migrated'

async function makeDatabase(name: string): Promise<string> {
  const { postgres, session } = await openCluster()
  await session.query(`create database ${name} template ${template} strategy file_copy`)
  return postgres.url(name)
}

interface Cluster {
  readonly postgres: TestPostgres
  readonly session: Connection
}

let cluster: Promise<Cluster> | undefined

/** One server for all tests of the run. It ends with the run. */
function openCluster(): Promise<Cluster> {
  cluster ??= startCluster()
  return cluster
}

async function startCluster(): Promise<Cluster> {
  const postgres = await startPostgres(['max_connections=600'])
  atEnd.push(postgres.abandon)
  const store = await openServer(postgres.makeDatabase(template))
  await store.close()
  // Each database has a first start of its own.
  postgres.run('delete from facts', template)
  return { postgres, session: await openSession(postgres.url('postgres')) }
}

/** Fills the database that stands for a folder with the rows of a SQLite file. */
export async function copyIntoDatabaseOf(folder: string, file: string): Promise<void> {
  const session = await openSession(await databaseOf(folder))
  const sqlite = new DatabaseSync(file, { readOnly: true })
  const tables = await session.query<{ readonly name: string; readonly columns: readonly string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> 'a'
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
     group by c.oid order by c.oid`,
  )
  for (const { name, columns } of tables) {
    const there = sqlite.prepare('select name from pragma_table_info(?)').all(name)
    if (there.length === 0) continue
    // SQLite counts in one row what each server of several counts in its own.
    const own = columns.map((column) =>
      there.some((other) => other['name'] === column) ? column : `'' as ${column}`,
    )
    const rows = sqlite.prepare(`select ${own.join(', ')} from ${name}`).all()
    await session.query(
      `insert into ${name} (${columns.join(', ')}) select ${columns.join(', ')} from json_populate_recordset(null::${name}, $1::json)
       on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  }
  sqlite.close()
  session.destroy('it is filled')
}
