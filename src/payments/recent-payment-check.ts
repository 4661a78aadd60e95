import type { Clock } from '../lib/clock.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import { type PaymentRefusal, refuse } from './payment-refusal.ts'
import type { Purchase } from './purchase.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'

/** A payment older than this is taken to be final. */
const finalAfterMs = 10 * 60_000

/** Checks for a reorganization where one is still possible. Returns why the payment cannot be spent now. */
export function createRecentPaymentCheck({ reorgCheck, clock }: Deps) {
  return async (payment: PaymentRow, { offer }: Purchase): Promise<PaymentRefusal | undefined> => {
    if (!isReorgPossible(payment, clock.now())) return undefined
    if (reorgCheck === undefined) return payment.state === 'reorged' ? refuse('payment_reorged') : undefined
    const presence = await reorgCheck.check(payment, offer.priceMicros)
    if (presence === 'final') return undefined
    return presence === 'reorged' ? refuse('payment_reorged') : refuse('payment_unconfirmed', 2)
  }
}

/** A recent payment may vanish with its block, and a vanished one may come back. */
export function isReorgPossible({ state, blockTimeMs, createdAtMs }: PaymentRow, nowMs: number): boolean {
  return state === 'reorged' || nowMs - (blockTimeMs ?? createdAtMs) < finalAfterMs
}

interface Deps {
  /** Undefined without an RPC. */
  readonly reorgCheck: ReorgCheck | undefined
  readonly clock: Clock
}
