import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { ChainAccess } from '../chain/open-chain.ts'
import type { SettledTransfer } from '../chain/settlement-finder.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { authorizationReferenceOf } from './authorization-reference.ts'

/** `idle`: no transaction with the authorization is on chain or pending. */
export type SettlementState = 'settled' | 'failed' | 'pending' | 'idle'

export interface SettlementResolver {
  /** Finds out what became of a submitted payment and records it. */
  resolve(payment: PaymentRow): Promise<SettlementState>
  /** False if the transfer has paid for something else: then this payment is marked as failed. */
  markSettled(payment: PaymentRow, settled: SettledTransfer): boolean
  /** Does nothing if the payment has settled, or if its transaction is no longer `ifTxHash`. */
  markFailed(payment: PaymentRow, reason: PaymentReason, ifTxHash?: string | null): void
}

interface Deps {
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  readonly settings: Pick<PaymentSettings, 'chainId'>
  readonly chainAccess: Pick<ChainAccess, 'chain' | 'finder' | 'finality'> | undefined
}

export function createSettlementResolver({ store, clock, settings, chainAccess }: Deps): SettlementResolver {
  function markSettled(payment: PaymentRow, settled: SettledTransfer): boolean {
    return store.transaction(
      () => {
        const isOurs = store.payments.settle(payment.id, { ...settled, nowMs: clock.now() })
        if (!isOurs) markFailed(payment, 'payment_already_used')
        return isOurs
      },
      { durable: true },
    )
  }

  function markFailed({ id }: PaymentRow, reason: PaymentReason, ifTxHash?: string | null): void {
    const step = {
      from: ['reserved', 'submitted', 'released'],
      to: 'failed',
      ...(ifTxHash !== undefined && { ifTxHash }),
      changes: { reason, settlerNonce: null, rawTransaction: null },
      nowMs: clock.now(),
    } as const
    store.transaction(() => store.payments.transition(id, step), { durable: true })
  }

  async function resolve(payment: PaymentRow): Promise<SettlementState> {
    if (chainAccess === undefined) return 'idle'
    // A payment on another network cannot be looked up here.
    if (payment.chainId !== settings.chainId) return 'pending'
    const { chain, finder, finality } = chainAccess
    const reference = authorizationReferenceOf(payment)
    const txHash = payment.txHash as Hex | null
    const receipt = txHash === null ? null : await chain.receipt(txHash)
    const isFinal = receipt !== null && (await finality.isFinal(receipt, payment.amountMicros))
    const settled = receipt === null ? undefined : finder.findIn(receipt, reference)
    if (settled !== undefined) {
      if (!isFinal) return 'pending'
      return markSettled(payment, settled) ? 'settled' : 'failed'
    }
    if (await finder.isUsed(reference)) {
      const found = await finder.find(reference)
      if (found !== undefined) return markSettled(payment, found) ? 'settled' : 'failed'
      markFailed(payment, 'invalid_exact_evm_payload_authorization_used', txHash)
      return 'failed'
    }
    if (isFinal || (await hasExpired(payment))) {
      markFailed(payment, 'settlement_failed', txHash)
      return 'failed'
    }
    const isWaiting = receipt !== null || (txHash !== null && (await chain.transaction(txHash)) !== null)
    return isWaiting ? 'pending' : 'idle'
  }

  /** By the chain's clock; ours only saves the request while it is too early. */
  async function hasExpired(payment: PaymentRow): Promise<boolean> {
    const untilMs = payment.validUntilMs ?? 0
    if (chainAccess === undefined || clock.now() < untilMs) return false
    return await chainAccess.finder.isExpired(authorizationReferenceOf(payment), untilMs)
  }

  return { resolve, markSettled, markFailed }
}
