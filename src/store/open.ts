import { statSync } from 'node:fs'
import { type Clock, systemClock } from '../lib/clock.ts'
import { type ChangeWatch, createChangeWatch } from './change-watch.ts'
import type { Database, Peers } from './database.ts'
import type { DatabaseLocation } from './database-location.ts'
import { createDeferredWrites, type DeferredWrites } from './deferred-writes.ts'
import { firstStart, noteFirstStart } from './key-values.ts'
import type { Meter } from './meter.ts'
import { compileQuery } from './query.ts'
import { createSqliteDatabase, createSqlitePeers, sqliteBuilders } from './sqlite/sqlite-database.ts'
import { createSqliteMeter } from './sqlite/sqlite-meter.ts'
import { migrate, openSqlite, retryAtStart } from './sqlite.ts'
import { createStoreHealth, type StoreCheck, type StoreProbe } from './store-health.ts'
import { createTables, type Tables } from './tables.ts'

export interface Store extends Pick<Database, 'transaction'>, Tables {
  readonly kind: DatabaseLocation['kind']
  /** Where it is, for the operator: the path of a file, or a URL without user and password. */
  readonly name: string
  readonly meter: Meter
  readonly deferred: DeferredWrites
  readonly peers: Peers
  readonly changes: ChangeWatch
  readonly health: { probe(): Promise<StoreProbe> }
  check(): StoreCheck
  size(): Promise<StoreSize>
  /** Lag of the slowest standby; 0 without one, or where the database does not say. */
  standbyLagMs(): Promise<number>
  tidy(): Promise<void>
  /** To be called when the start is over: from now on no wait for a lock blocks the event loop. */
  startServing(): void
  close(): Promise<void>
}

export interface StoreSize {
  readonly databaseBytes: number
  /** Size of the write-ahead log beside the file; a database server keeps one for all its databases. */
  readonly walBytes?: number
}

interface StoreOptions {
  /** The database file, which is made when missing, like its directory. `:memory:` for one that ends with the process. */
  readonly path: string
  readonly setting?: string
  readonly clock?: Clock
  readonly onError?: (error: unknown) => void
}

/** Brings the tables up to date. Throws a `StoreError` that names the file, the setting and a remedy. */
export function openStore(options: StoreOptions): Store {
  const { path, setting, clock = systemClock, onError } = options
  const sqlite = openSqlite(path, setting)
  retryAtStart(() => migrate(sqlite))
  const first = compileQuery(firstStart, noteFirstStart, sqliteBuilders)
  retryAtStart(() => sqlite.prepare(first.sql).run(...first.bind({ now: String(clock.now()) })))
  const database = createSqliteDatabase(sqlite)
  const changes = createChangeWatch(database)
  const transaction = changes.watched(database.transaction)
  const meter = createSqliteMeter(sqlite, clock)
  const deferred = createDeferredWrites(transaction, onError)
  const health = createStoreHealth(sqlite, clock)
  return {
    ...createTables(database, changes.noteKeyChange),
    kind: 'sqlite',
    name: path,
    transaction,
    meter,
    deferred,
    changes,
    health,
    startServing() {
      changes.start()
      sqlite.reportLocksAtOnce()
      health.watch()
    },
    check: health.checkVersion,
    peers: createSqlitePeers(),
    tidy: async () => {},
    standbyLagMs: async () => 0,
    size: async () => ({ databaseBytes: bytesOf(path), walBytes: bytesOf(`${path}-wal`) }),
    async close() {
      changes.stop()
      health.stop()
      meter.flush()
      await deferred.flush()
      sqlite.close()
    },
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
