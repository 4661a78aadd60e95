import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import type { Payments, PaymentsStatus } from '../payments/payments.ts'

const staleMs = 15_000
const waitMsMax = 250

/** The status of payments at one moment. */
export interface PaymentsReport extends PaymentsStatus {
  readonly checkedAtMs: number
}

/** Caches the status of payments, so that a slow or dead RPC endpoint does not slow pages down. */
export function createPaymentsMonitor(payments: Pick<Payments, 'status'> | undefined, clock: Clock) {
  let report: PaymentsReport | undefined
  let refreshing: Promise<void> | undefined

  /** Queries the chain and waits for the answer. */
  async function refresh(): Promise<void> {
    if (payments === undefined) return
    refreshing ??= payments
      .status()
      .then((status) => {
        report = { ...status, checkedAtMs: clock.now() }
      })
      .finally(() => {
        refreshing = undefined
      })
    await refreshing
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
