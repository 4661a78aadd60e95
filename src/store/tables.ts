import { createAlertTable } from './alerts.ts'
import { createAuditTable } from './audit.ts'
import { createBrandDayTable } from './brand-days.ts'
import { createBrandTable } from './brands.ts'
import { createBusyKeys } from './busy-keys.ts'
import { createChargeTable } from './charges.ts'
import type { Database } from './database.ts'
import { createDeduplicationTable } from './deduplication.ts'
import { createKeyList } from './key-list.ts'
import { createKeyValueTable } from './key-values.ts'
import { createKeyTable } from './keys.ts'
import { createLoginAttemptTable } from './login-attempts.ts'
import { createLoginOriginTable } from './login-origins.ts'
import { createPaymentList } from './payment-list.ts'
import { createPaymentTable } from './payment-table.ts'
import { createSessionTable } from './sessions.ts'
import { createSettlementTable } from './settlements.ts'
import { createShareTable } from './shares.ts'
import { createSignedAddressTable } from './signed-addresses.ts'
import { createTrafficTable } from './traffic.ts'
import { createTrafficHourTable } from './traffic-hours.ts'
import { createUsageTable } from './usage.ts'
import { createWebSourceTable } from './web-sources.ts'

export type Tables = Readonly<ReturnType<typeof createTables>>

/** The tables of a database of which nothing is written, and whose schema is not changed: servers may have it open. */
export interface ReadTables {
  readonly tables: Pick<Tables, 'brands' | 'keyValues'>
  close(): void
}

/**
 * The tables of a database, whatever its dialect.
 *
 * @param onKeyChange called when a key was changed, which may be within a transaction
 */
export function createTables(database: Database, onKeyChange: () => void = () => {}) {
  return {
    alerts: createAlertTable(database),
    keyValues: createKeyValueTable(database),
    keys: createKeyTable(database, onKeyChange),
    keyList: createKeyList(database),
    busyKeys: createBusyKeys(database),
    usage: createUsageTable(database),
    deduplication: createDeduplicationTable(database),
    signedAddresses: createSignedAddressTable(database),
    traffic: createTrafficTable(database),
    trafficHours: createTrafficHourTable(database),
    payments: createPaymentTable(database),
    paymentList: createPaymentList(database),
    charges: createChargeTable(database),
    settlements: createSettlementTable(database),
    sessions: createSessionTable(database),
    loginAttempts: createLoginAttemptTable(database),
    loginOrigins: createLoginOriginTable(database),
    audit: createAuditTable(database),
    brands: createBrandTable(database),
    brandDays: createBrandDayTable(database),
    shares: createShareTable(database),
    webSources: createWebSourceTable(database),
  }
}
