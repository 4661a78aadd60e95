import { type Clock, systemClock } from '../lib/clock.ts'
import { type AuditTable, createAuditTable } from './audit.ts'
import { type ChargeTable, createChargeTable } from './charges.ts'
import { createQueries } from './drizzle.ts'
import { createFactTable, type FactTable } from './facts.ts'
import { createKeyList, type KeyList } from './key-list.ts'
import { createKeyTable, type KeyTable } from './keys.ts'
import { createLoginAttemptTable, type LoginAttemptTable } from './login-attempts.ts'
import { createLoginOriginTable, type LoginOriginTable } from './login-origins.ts'
import { migrate, migrations, schemaVersion } from './migrations.ts'
import { createPaymentList, type PaymentList } from './payment-list.ts'
import { createPaymentTable, type PaymentTable } from './payments.ts'
import { createSeenTable, type SeenTable } from './seen.ts'
import { createSessionTable, type SessionTable } from './sessions.ts'
import { createSettlementTable, type SettlementTable } from './settlements.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { createTrafficTable, type TrafficTable } from './traffic.ts'
import { createUsageTable, type UsageTable } from './usage.ts'

/** Everything that must not be lost, in one SQLite file that many processes may share. */
export interface Store extends Pick<Sqlite, 'transaction'> {
  readonly facts: FactTable
  readonly keys: KeyTable
  readonly keyList: KeyList
  readonly usage: UsageTable
  readonly seen: SeenTable
  readonly traffic: TrafficTable
  readonly payments: PaymentTable
  readonly paymentList: PaymentList
  readonly charges: ChargeTable
  readonly settlements: SettlementTable
  readonly sessions: SessionTable
  readonly loginAttempts: LoginAttemptTable
  readonly loginOrigins: LoginOriginTable
  readonly audit: AuditTable
  /** Whether the file answers and its tables are those of this version. */
  check(): { readonly ok: true } | { readonly ok: false; readonly problem: string }
  close(): void
}

export interface StoreOptions {
  /** The database file; it and its directory are made when missing. `:memory:` for one that goes with the process. */
  readonly path: string
  readonly clock?: Clock
}

export function openStore({ path, clock = systemClock }: StoreOptions): Store {
  const sqlite = openSqlite(path)
  migrate(sqlite)
  const queries = createQueries(sqlite)
  const facts = createFactTable(sqlite)
  facts.setOnce('created_at_ms', String(clock.now()))
  return {
    transaction: sqlite.transaction,
    facts,
    keys: createKeyTable(sqlite, queries),
    keyList: createKeyList(sqlite),
    usage: createUsageTable(sqlite),
    seen: createSeenTable(sqlite),
    traffic: createTrafficTable(sqlite),
    payments: createPaymentTable(queries),
    paymentList: createPaymentList(sqlite),
    charges: createChargeTable(queries),
    settlements: createSettlementTable(sqlite),
    sessions: createSessionTable(sqlite),
    loginAttempts: createLoginAttemptTable(sqlite),
    loginOrigins: createLoginOriginTable(sqlite),
    audit: createAuditTable(sqlite),
    check: () => check(sqlite),
    close: sqlite.close,
  }
}

function check(sqlite: Sqlite): ReturnType<Store['check']> {
  try {
    const version = schemaVersion(sqlite)
    if (version === migrations.length) return { ok: true }
    return {
      ok: false,
      problem: `the database is at migration ${version}, this version needs ${migrations.length}`,
    }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
}
