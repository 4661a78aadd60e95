import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../src/lib/clock.ts'
import type { Payments, PaymentsStatus } from '../src/payments/payments.ts'

const staleMs = 15_000
const patienceMs = 250

/** What payments said about themselves, and when. */
export interface PaymentsReport extends PaymentsStatus {
  readonly askedAtMs: number
}

export interface PaymentsWatch {
  /** Undefined while payments are off. `pending`: the chain has not answered yet; pages do not wait for it. */
  latest(): Promise<PaymentsReport | 'pending' | undefined>
  /** Asks now, and waits. */
  ask(): Promise<void>
}

/** Keeps the last word of the chain at hand, so that a slow or dead endpoint slows no page down. */
export function watchPayments(payments: Pick<Payments, 'status'> | undefined, clock: Clock): PaymentsWatch {
  let report: PaymentsReport | undefined
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    if (payments === undefined) return
    asking ??= payments
      .status()
      .then((status) => {
        report = { ...status, askedAtMs: clock.now() }
      })
      .finally(() => {
        asking = undefined
      })
    await asking
  }

  return {
    ask,
    async latest() {
      if (payments === undefined) return undefined
      if (report === undefined || clock.now() - report.askedAtMs > staleMs) {
        // What fails is asked again at the next look.
        const answered = ask().catch(() => {})
        if (report === undefined) await Promise.race([answered, sleep(patienceMs)])
      }
      return report ?? 'pending'
    },
  }
}
