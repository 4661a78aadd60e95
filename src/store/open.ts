import { type Clock, systemClock } from '../lib/clock.ts'
import { type AuditTable, createAuditTable } from './audit.ts'
import { type ChargeTable, createChargeTable } from './charges.ts'
import { createDeduplicationTable, type DeduplicationTable } from './deduplication.ts'
import { createDeferredWrites, type DeferredWrites } from './deferred-writes.ts'
import { createKeyList, type KeyList } from './key-list.ts'
import { createKeyValueTable, type KeyValueTable } from './key-values.ts'
import { createKeyTable, type KeyTable } from './keys.ts'
import { createLoginAttemptTable, type LoginAttemptTable } from './login-attempts.ts'
import { createLoginOriginTable, type LoginOriginTable } from './login-origins.ts'
import { migrate } from './migrations.ts'
import { createPaymentList, type PaymentList } from './payment-list.ts'
import { createPaymentTable, type PaymentTable } from './payment-table.ts'
import { retryAtStart } from './retry-at-start.ts'
import { createSessionTable, type SessionTable } from './sessions.ts'
import { createSettlementTable, type SettlementTable } from './settlements.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { storeError } from './store-error.ts'
import { createStoreHealth, type StoreCheck, type StoreHealth } from './store-health.ts'
import { createTrafficTable, type TrafficTable } from './traffic.ts'
import { createUsageTable, type UsageTable } from './usage.ts'

/** Everything that must not be lost, in one SQLite file that many processes may share. */
export interface Store extends Pick<Sqlite, 'transaction'> {
  readonly keyValues: KeyValueTable
  readonly keys: KeyTable
  readonly keyList: KeyList
  readonly usage: UsageTable
  readonly deduplication: DeduplicationTable
  readonly traffic: TrafficTable
  readonly payments: PaymentTable
  readonly paymentList: PaymentList
  readonly charges: ChargeTable
  readonly settlements: SettlementTable
  readonly sessions: SessionTable
  readonly loginAttempts: LoginAttemptTable
  readonly loginOrigins: LoginOriginTable
  readonly audit: AuditTable
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
  const sqlite = openSqlite(path, setting)
  retryAtStart(() => migrate(sqlite, () => storeError('newer', { path, setting })))
  const keyValues = createKeyValueTable(sqlite)
  retryAtStart(() => noteFirstStart(keyValues, clock.now()))
  const usage = createUsageTable(sqlite)
  const deferred = createDeferredWrites({
    transaction: sqlite.transaction,
    ...(onError && { onError }),
  })
  const health = createStoreHealth({ sqlite, usage, clock, file: { path, setting } })
  return {
    transaction: sqlite.transaction,
    deferred,
    health,
    startServing() {
      sqlite.reportLocksAtOnce()
      health.watch()
    },
    keyValues,
    keys: createKeyTable(sqlite),
    keyList: createKeyList(sqlite),
    usage,
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
    check: health.checkVersion,
    close() {
      health.stop()
      deferred.flush()
      sqlite.close()
    },
  }
}

/** Payments from before the first start buy nothing, so a first start under a clock that ran ahead is corrected. */
function noteFirstStart(keyValues: KeyValueTable, nowMs: number): void {
  if (Number(keyValues.setOnce('created_at_ms', String(nowMs))) > nowMs)
    keyValues.set('created_at_ms', String(nowMs))
}
