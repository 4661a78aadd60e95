import { type Clock, systemClock } from '../lib/clock.ts'
import { createAuditTable } from './audit.ts'
import { createChargeTable } from './charges.ts'
import { retryAtStart } from './connect.ts'
import { createDeduplicationTable } from './deduplication.ts'
import { createDeferredWrites, type DeferredWrites } from './deferred-writes.ts'
import { createKeyList } from './key-list.ts'
import { createKeyValueTable, type KeyValueTable } from './key-values.ts'
import { createKeyTable } from './keys.ts'
import { createLoginAttemptTable } from './login-attempts.ts'
import { createLoginOriginTable } from './login-origins.ts'
import { migrate } from './migrations.ts'
import { createPaymentList } from './payment-list.ts'
import { createPaymentTable } from './payment-table.ts'
import { createSessionTable } from './sessions.ts'
import { createSettlementTable } from './settlements.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { storeError } from './store-error.ts'
import { createStoreHealth, type StoreCheck, type StoreHealth } from './store-health.ts'
import { createTrafficTable } from './traffic.ts'
import { createUsageTable } from './usage.ts'

/** Everything that must not be lost, in one SQLite file that many processes may share. */
export interface Store extends Pick<Sqlite, 'transaction'>, Tables {
  readonly deferred: DeferredWrites
  readonly health: StoreHealth
  /** Whether the database answers and has the tables of this version. */
  check(): StoreCheck
  /** To be called when the start is over: from now on no wait for a lock blocks the event loop. */
  startServing(): void
  close(): void
}

interface StoreOptions {
  /** The database file, which is made when missing, like its directory. `:memory:` for one that ends with the process. */
  readonly path: string
  /** The name of the setting that leads to the file, for error messages. */
  readonly setting?: string
  readonly clock?: Clock
  /** Called with the error of a deferred write that can never succeed and was given up. */
  readonly onError?: (error: unknown) => void
}

/** Opens the store and brings its tables up to date. Throws a `StoreError` that names the file, the setting and a remedy. */
export function openStore({
  path,
  setting = 'DATA_DIR or DATABASE_URL',
  clock = systemClock,
  onError,
}: StoreOptions): Store {
  const file = { path, setting }
  const sqlite = openSqlite(path, setting)
  retryAtStart(() => migrate(sqlite, () => storeError('newer', file)))
  const tables = createTables(sqlite)
  retryAtStart(() => noteFirstStart(tables.keyValues, clock.now()))
  const deferred = createDeferredWrites({ transaction: sqlite.transaction, onError })
  const health = createStoreHealth(sqlite, tables.usage, clock, file)
  return {
    ...tables,
    transaction: sqlite.transaction,
    deferred,
    health,
    startServing() {
      sqlite.reportLocksAtOnce()
      health.watch()
    },
    check: health.checkVersion,
    close() {
      health.stop()
      deferred.flush()
      sqlite.close()
    },
  }
}

type Tables = Readonly<ReturnType<typeof createTables>>

function createTables(sqlite: Sqlite) {
  return {
    keyValues: createKeyValueTable(sqlite),
    keys: createKeyTable(sqlite),
    keyList: createKeyList(sqlite),
    usage: createUsageTable(sqlite),
    deduplication: createDeduplicationTable(sqlite),
    traffic: createTrafficTable(sqlite),
    payments: createPaymentTable(sqlite),
    paymentList: createPaymentList(sqlite),
    charges: createChargeTable(sqlite),
    settlements: createSettlementTable(sqlite),
    sessions: createSessionTable(sqlite),
    loginAttempts: createLoginAttemptTable(sqlite),
    loginOrigins: createLoginOriginTable(sqlite),
    audit: createAuditTable(sqlite),
  }
}

/** Payments from before the first start buy nothing, so a first start under a clock that ran ahead is corrected. */
function noteFirstStart(keyValues: KeyValueTable, nowMs: number): void {
  if (Number(keyValues.setOnce('created_at_ms', String(nowMs))) > nowMs)
    keyValues.set('created_at_ms', String(nowMs))
}
