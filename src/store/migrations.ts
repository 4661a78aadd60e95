import start from '../../drizzle/0000_start.sql' with { type: 'text' }
import payments from '../../drizzle/0001_payments.sql' with { type: 'text' }
import admin from '../../drizzle/0002_admin.sql' with { type: 'text' }
import auditAppendOnly from '../../drizzle/0003_audit_append_only.sql' with { type: 'text' }
import adminLists from '../../drizzle/0004_admin_lists.sql' with { type: 'text' }
import keySearch from '../../drizzle/0005_key_search.sql' with { type: 'text' }
import paymentDays from '../../drizzle/0006_payment_days.sql' with { type: 'text' }
import paymentDaysFollow from '../../drizzle/0007_payment_days_follow.sql' with { type: 'text' }
import unclaimedPayments from '../../drizzle/0008_unclaimed_payments.sql' with { type: 'text' }
import payerLookups from '../../drizzle/0009_payer_lookups.sql' with { type: 'text' }
import loginAttempts from '../../drizzle/0010_login_attempts.sql' with { type: 'text' }
import settlements from '../../drizzle/0011_settlements.sql' with { type: 'text' }
import loginOrigins from '../../drizzle/0012_login_origins.sql' with { type: 'text' }
import transferLogs from '../../drizzle/0013_transfer_logs.sql' with { type: 'text' }
import generations from '../../drizzle/0014_generations.sql' with { type: 'text' }
import brands from '../../drizzle/0015_brands.sql' with { type: 'text' }
import paymentsByPayer from '../../drizzle/0016_payments_by_payer.sql' with { type: 'text' }
import keyEnds from '../../drizzle/0017_key_ends.sql' with { type: 'text' }
import payerWindows from '../../drizzle/0018_payer_windows.sql' with { type: 'text' }
import signedAddresses from '../../drizzle/0019_signed_addresses.sql' with { type: 'text' }
import shares from '../../drizzle/0020_shares.sql' with { type: 'text' }
import webSources from '../../drizzle/0021_web_sources.sql' with { type: 'text' }
import keyHosts from '../../drizzle/0022_key_hosts.sql' with { type: 'text' }
import renewals from '../../drizzle/0023_renewals.sql' with { type: 'text' }
import trafficHours from '../../drizzle/0024_traffic_hours.sql' with { type: 'text' }
import alertsAndKeyAssets from '../../drizzle/0025_alerts_and_key_assets.sql' with { type: 'text' }
import webPictures from '../../drizzle/0026_web_pictures.sql' with { type: 'text' }
import themeFiles from '../../drizzle/0027_theme_files.sql' with { type: 'text' }
import type { Sqlite } from './sqlite.ts'

/** Every migration in order. Imported as text, so that they are inside the executable too. */
export const migrations: readonly string[] = [
  start,
  payments,
  admin,
  auditAppendOnly,
  adminLists,
  keySearch,
  paymentDays,
  paymentDaysFollow,
  unclaimedPayments,
  payerLookups,
  loginAttempts,
  settlements,
  loginOrigins,
  transferLogs,
  generations,
  brands,
  paymentsByPayer,
  keyEnds,
  payerWindows,
  signedAddresses,
  shares,
  webSources,
  keyHosts,
  renewals,
  trafficHours,
  alertsAndKeyAssets,
  webPictures,
  themeFiles,
]

export function schemaVersion(sqlite: Pick<Sqlite, 'prepare'>): number {
  return sqlite.prepare<{ user_version: number }>('pragma user_version').get()?.user_version ?? 0
}

/** Processes that start together wait for one another, and one migrates. Throws `newer()` for a newer database. */
export function migrate(
  sqlite: Sqlite,
  newer = () => new Error('The database was written by a newer version of Mintmark.'),
): void {
  sqlite.transaction(
    () => {
      const done = schemaVersion(sqlite)
      if (done > migrations.length) throw newer()
      for (const migration of migrations.slice(done)) sqlite.exec(migration)
      if (done < migrations.length) sqlite.exec(`pragma user_version = ${migrations.length}`)
    },
    { durable: true },
  )
}
