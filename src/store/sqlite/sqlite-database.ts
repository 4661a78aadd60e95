import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import { getTableColumns, sql } from 'drizzle-orm'
import {
  QueryBuilder,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSyncDialect,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import { inTurn } from '../../lib/cooperative-scheduler.ts'
import type { BoundStatement, Builders, Database, DialectTexts, Peers, Steps } from '../database.ts'
import { fields } from '../query.ts'
import { keys } from '../schema.ts'
import type { Sqlite } from '../sqlite.ts'
import type { DriverStatement } from './driver/driver.ts'

/** SQLite answers at once, so a transaction runs in one turn. Of many callers some wait for a later turn. */
export function createSqliteDatabase(sqlite: Pick<Sqlite, 'prepare' | 'transaction'>): Database {
  const prepared = new Map<string, DriverStatement<unknown>>()

  function prepare(sql: string): DriverStatement<unknown> {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  function execute({ sql, values, wants }: BoundStatement) {
    const statement = prepare(sql)
    if (wants === 'count') return { rows: [], count: Number(statement.run(...values).changes) }
    return { rows: statement.all(...values), count: 0 }
  }

  function run<T>(steps: Steps<T>): T {
    let step = steps.next()
    while (!step.done) {
      const { statement, read } = step.value
      let value: unknown
      try {
        value = read(execute(statement))
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(value)
    }
    return step.value
  }

  return {
    builders: sqliteBuilders,
    prepare: (sql) => void prepare(sql),
    async execute(statement) {
      if (!statement.isDurable) return await inTurn(() => execute(statement))
      return await inTurn(() => sqlite.transaction(() => execute(statement), { durable: true }))
    },
    texts: sqliteTexts,
    async transaction(work, { durable = false } = {}) {
      return await inTurn(() => sqlite.transaction(() => run(work()[Symbol.iterator]()), { durable }))
    },
  }
}

const dialect = new SQLiteSyncDialect()
const queryBuilder = new QueryBuilder(dialect)
/** The store runs the queries, so the builders need no session. */
const session = undefined as never

export const sqliteBuilders = {
  select: (selected: never) => queryBuilder.select(fields(selected)),
  insert: (table: never) => new SQLiteInsertBuilder(table, session, dialect),
  update: (table: never) => new SQLiteUpdateBuilder(table, session, dialect),
  remove: (table: never) => new SQLiteDeleteBase(table, session, dialect),
  raw: (text: never) => ({ toSQL: () => dialect.sqlToQuery(text) }),
  indexed: (table: never, index: string) => sql`${table} indexed by ${sql.identifier(index)}`,
  rowNumber: sql`rowid`,
} as unknown as Builders

export const sqliteTexts: DialectTexts = {
  searchKeys({ text, limit }) {
    const found = sql`(select rowid as found from keys_search where keys_search match ${text}
      order by rowid desc limit ${limit})`
    return sqliteBuilders
      .select(getTableColumns(keys))
      .from(found)
      .innerJoin(keys, sql`${keys}.rowid = found`)
      .orderBy(sql`found desc`)
  },
  searchTerm: (text) => `"${text.replaceAll('"', '""')}"`,
  addTraffic: ({ day, endpoint, auth, status, count }) =>
    sql`insert into traffic_days (day, endpoint, auth, status, count)
      values (${day}, ${endpoint}, ${auth}, ${status}, max(0, ${count}))
      on conflict do update set count = max(0, count + ${count})`,
  foldTraffic: ({ upToDay }) => sql`insert into traffic_days (day, endpoint, auth, status, count)
    select 0, endpoint, auth, status, sum(count) from traffic_days
    where day between 1 and ${upToDay} group by endpoint, auth, status
    on conflict do update set count = count + excluded.count`,
}

/** Processes of one machine. They hardly notice one another's transactions, so each does the common work. */
export function createSqlitePeers(): Peers {
  return {
    ownName: createLeaseOwner(),
    isGone: async (name) => isLeaseOwnerGone(name),
    hasOlder: async () => false,
    async alone(_, run) {
      await run()
      return true
    },
  }
}

const ofThisProcess = new Set<string>()

export function createLeaseOwner(): string {
  const name = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`
  ofThisProcess.add(name)
  return name
}

/** True if the process has certainly ended. False for processes of other machines. */
export function isLeaseOwnerGone(owner: string): boolean {
  if (ofThisProcess.has(owner)) return false
  const [host, pid] = owner.split('/')
  if (host !== hostname()) return false
  // After a restart in a container, the previous process had the same id.
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}
