import { createBrandDayTable, createBrandTable } from './brands.ts'
import { createChargeTable, createSettlementTable } from './charges.ts'
import type { Database } from './database.ts'
import { createKeyValueTable } from './key-values.ts'
import { createBusyKeys, createKeyList, createKeyTable } from './keys.ts'
import {
  createAlertTable,
  createAuditTable,
  createLoginAttemptTable,
  createLoginOriginTable,
  createSessionTable,
} from './operator.ts'
import { createPaymentList } from './payment-list.ts'
import { createPaymentTable } from './payment-table.ts'
import { createShareTable } from './shares.ts'
import {
  createSignedAddressTable,
  createTrafficHourTable,
  createTrafficTable,
  createUsageTable,
} from './usage.ts'
import { createWebPictureTable, createWebSourceTable } from './web-sources.ts'

export type Tables = Readonly<ReturnType<typeof createTables>>

/** The tables of a database of which nothing is written, and whose schema is not changed: servers may have it open. */
export interface ReadTables {
  readonly tables: Pick<Tables, 'brands' | 'keyValues'>
  close(): void
}

/** @param onKeyChange called when a key was changed, which may be within a transaction */
export function createTables(database: Database, onKeyChange: () => void = () => {}) {
  return {
    alerts: createAlertTable(database),
    keyValues: createKeyValueTable(database),
    keys: createKeyTable(database, onKeyChange),
    keyList: createKeyList(database),
    busyKeys: createBusyKeys(database),
    usage: createUsageTable(database),
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
    webPictures: createWebPictureTable(database),
  }
}
