import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/lib/clock.ts'
import type { Payments, PaymentsStatus } from '../../src/payments/payments.ts'

const staleMs = 15_000
const waitMsMax = 250

/** What payments said about themselves, and when. */
export interface PaymentsReport extends PaymentsStatus {
  readonly checkedAtMs: number
}

export interface PaymentsMonitor {
  /** Undefined while payments are off. `pending`: the chain has not answered yet; pages do not wait for it. */
  latest(): Promise<PaymentsReport | 'pending' | undefined>
  /** Asks now, and waits. */
  refresh(): Promise<void>
}

/** Keeps the last word of the chain at hand, so that a slow or dead endpoint slows no page down. */
export function createPaymentsMonitor(payments: Pick<Payments, 'status'> | undefined, clock: Clock): PaymentsMonitor {
  let report: PaymentsReport | undefined
  let refreshing: Promise<void> | undefined

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
    async latest() {
      if (payments === undefined) return undefined
      if (report === undefined || clock.now() - report.checkedAtMs > staleMs) {
        // What fails is asked again at the next look.
        const answered = refresh().catch(() => {})
        if (report === undefined) await Promise.race([answered, sleep(waitMsMax)])
      }
      return report ?? 'pending'
    },
  }
}
