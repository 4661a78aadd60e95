import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { Payments, PaymentsStatus } from '../payments/payments.ts'

export type ConcernKind =
  | 'database'
  | 'database_slow'
  | 'standby_lag'
  | 'disk'
  | 'payments_limited'
  | 'settler_gas'
  | 'payment_in_doubt'
  | 'key_quota'
  | 'key_end'
  | 'public_keys'

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

export const quotaPercentSoon = 80

export const keyEndSoonDays = 14

/** Below this a backup and a day of traffic may not fit. */
export const freeBytesSoon = 1e9
/** Below this SQLite's journal may not fit. */
export const freeBytesNow = 5e7

/** Enough for a settlement or two. */
export const settlerGasWeiMin = 10n ** 14n

export const subjectsMax = 100

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
