import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Clock, dayMs } from '../lib/clock.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { Payments, PaymentsStatus } from '../payments/payments.ts'
import type { Store } from '../store/open.ts'

export const concernKinds = [
  'database',
  'database_slow',
  'standby_lag',
  'disk',
  'payments_limited',
  'settler_gas',
  'payment_in_doubt',
  'key_quota',
  'key_end',
  'public_keys',
] as const

export type ConcernKind = (typeof concernKinds)[number]

export interface Concern {
  readonly kind: ConcernKind
  /** Names one event, such as 80 % of a key's quota on one day, while it lasts; a second threshold or day is another. */
  readonly id: string
  /** `now`: something fails already. `soon`: it will, unless somebody acts. */
  readonly level: 'soon' | 'now'
  readonly subject: string
  /** One sentence: what is wrong, and what helps where that is short. */
  readonly text: string
  readonly path: string
  readonly values: Readonly<Record<string, string | number>>
}

export interface ConcernDeps {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'KEY_DAILY_QUOTA'>
  readonly paymentsMonitor: Pick<PaymentsMonitor, 'latest'>
  /** Read for alerts: more keys than a page shows, and keys of strangers a day later, all in one. */
  readonly isForAlerts?: boolean
  /** Bytes that are free where a folder is. Tests replace it, because they cannot fill a disk. */
  readonly readFreeBytes?: (folder: string) => Promise<number | undefined>
}

export const quotaPercentSoon = 80

export const keyEndSoonDays = 14

/** Below this a backup and a day of traffic may not fit. */
export const freeBytesSoon = 1e9
/** Below this SQLite's journal may not fit. */
export const freeBytesNow = 5e7

/** Enough for a settlement or two. */
export const settlerGasWeiMin = 10n ** 14n

/** Time for which the outcome of a payment may be open: longer than a block and some rounds of the reconciliation. */
export const paymentOpenMsMax = 600_000
/** A payment that vanished from the chain is pointed out for so long. */
export const reorgedMsMax = 7 * dayMs

/** A check of the database writes as a call does. */
export const databaseMsMax = 500
export const standbyLagMsMax = 10_000

export const subjectsMax = 100
export const alertedKeysMax = 2_000
export const publicKeysMax = 100_000
/** When the keys of strangers that used up their quota on a day are told, after its end. */
export const digestDelayMs = 300_000

const staleMs = 15_000
const waitMsMax = 250

export interface PaymentsReport extends PaymentsStatus {
  readonly checkedAtMs: number
}

/** Caches the status of payments, so that a slow or dead RPC endpoint does not slow pages down. */
export function createPaymentsMonitor(payments: Pick<Payments, 'status'> | undefined, clock: Clock) {
  let report: PaymentsReport | undefined
  const coalesce = createCoalescer<void>()

  async function refresh(): Promise<void> {
    await coalesce('', async () => {
      if (payments !== undefined) report = { ...(await payments.status()), checkedAtMs: clock.now() }
    })
  }

  return {
    refresh,
    /** Undefined while payments are off. `pending`: the chain has not answered yet, and pages do not wait for it. */
    async latest(): Promise<PaymentsReport | 'pending' | undefined> {
      if (payments === undefined) return undefined
      if (report === undefined || clock.now() - report.checkedAtMs > staleMs) {
        // After a failure the next page tries again.
        const refreshed = refresh().catch(() => {})
        if (report === undefined) await Promise.race([refreshed, sleep(waitMsMax)])
      }
      return report ?? 'pending'
    },
  }
}

export type PaymentsMonitor = ReturnType<typeof createPaymentsMonitor>
