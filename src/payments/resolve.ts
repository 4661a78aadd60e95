import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import type { Chain } from './chain.ts'
import type { Settled, SettlementFinder } from './find-settlement.ts'
import { promisedBy } from './promised.ts'
import type { Reason } from './reasons.ts'
import type { Hex } from './settings.ts'

/** `idle`: no transaction carries the authorization, as far as the chain knows. */
export type Outcome = 'settled' | 'failed' | 'pending' | 'idle'

export interface Resolver {
  /** Finds out what became of a submitted payment and writes it down. */
  resolve(payment: PaymentRow): Promise<Outcome>
  /** False when the transfer has paid for something else: then this payment has failed. */
  markSettled(payment: PaymentRow, settled: Settled): boolean
  /** Does nothing where the payment has settled, or is `ifTxHash`'s no more. */
  markFailed(payment: PaymentRow, reason: Reason, ifTxHash?: string | null): void
}

interface Deps {
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  readonly chain: Chain | undefined
  readonly finder: SettlementFinder | undefined
}

/** How far a chain's clock may be behind ours before an authorization is held to have expired. */
const chainLagMs = 60_000

export function createResolver({ store, clock, chain, finder }: Deps): Resolver {
  function markSettled(payment: PaymentRow, settled: Settled): boolean {
    return store.transaction(
      () => {
        const isOurs = store.payments.settle(payment.id, { ...settled, nowMs: clock.now() })
        if (!isOurs) markFailed(payment, 'payment_already_used')
        return isOurs
      },
      { durable: true },
    )
  }

  function markFailed({ id }: PaymentRow, reason: Reason, ifTxHash?: string | null): void {
    const step = {
      from: ['reserved', 'submitted', 'released'],
      to: 'failed',
      ...(ifTxHash !== undefined && { ifTxHash }),
      facts: { reason, settlerNonce: null, rawTransaction: null },
      nowMs: clock.now(),
    } as const
    store.transaction(() => store.payments.transition(id, step), { durable: true })
  }

  async function resolve(payment: PaymentRow): Promise<Outcome> {
    if (chain === undefined || finder === undefined) return 'idle'
    const promised = promisedBy(payment)
    const txHash = payment.txHash as Hex | null
    const receipt = txHash === null ? null : await chain.receipt(txHash)
    const settled = receipt === null ? undefined : finder.settles(receipt, promised)
    if (settled !== undefined) return markSettled(payment, settled) ? 'settled' : 'failed'
    if (await finder.isUsed(promised)) {
      const found = await finder.find(promised)
      if (found !== undefined) return markSettled(payment, found) ? 'settled' : 'failed'
      markFailed(payment, 'invalid_exact_evm_payload_authorization_used', txHash)
      return 'failed'
    }
    if (receipt !== null || clock.now() > (payment.validUntilMs ?? 0) + chainLagMs) {
      markFailed(payment, 'settlement_failed', txHash)
      return 'failed'
    }
    const isWaiting = txHash !== null && (await chain.transaction(txHash)) !== null
    return isWaiting ? 'pending' : 'idle'
  }

  return { resolve, markSettled, markFailed }
}
