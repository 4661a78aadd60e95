import type { PaymentReason } from '../payment-reasons.ts'
import { type Hex, type PaymentSettings, termsInLowerCase } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import type { Receipt } from './chain-types.ts'
import { readAuthorizedTransfers, readTransfers, type Transfer } from './erc20.ts'

/** One payer's transfers to us in a transaction. */
export interface PayerTransfers {
  readonly payer: Hex
  /** In the token's atomic units. */
  readonly value: bigint
  readonly amountMicros: number
  /** The logs whose values add up to the amount. */
  readonly logIndexes: readonly number[]
}

/**
 * Returns what a mined transaction paid us by plain transfers, payer by payer, or the reason why it paid nothing. The
 * transfer of a signed authorization is left out, because it is a payment of its own.
 */
export function readPayments(
  receipt: Receipt,
  settings: Pick<PaymentSettings, 'asset' | 'payTo'>,
): readonly PayerTransfers[] | PaymentReason {
  const { asset, payTo } = termsInLowerCase(settings)
  if (!receipt.succeeded) return 'payment_tx_failed'
  const authorized = readAuthorizedTransfers(receipt.logs, asset)
  if (authorized === undefined) return 'payment_made_by_authorization'
  const transfers = readTransfers(receipt.logs).filter(({ index }) => !authorized.has(index))
  const ours = transfers.filter(
    (entry) => entry.asset === asset && entry.to === payTo && entry.from !== payTo,
  )
  if (ours.length === 0)
    return authorized.size > 0 ? 'payment_made_by_authorization' : whyNot(transfers, asset, payTo)
  return [...Map.groupBy(ours, ({ from }) => from)].map(([payer, own]) => {
    const value = sumOf(own)
    const logIndexes = own.map(({ index }) => index)
    return { payer, value, amountMicros: toMicros(value, settings.asset), logIndexes }
  })
}

export function sumOf(transfers: readonly Pick<Transfer, 'value'>[]): bigint {
  return transfers.reduce((sum, { value }) => sum + value, 0n)
}

function whyNot(transfers: readonly Transfer[], asset: Hex, payTo: Hex): PaymentReason {
  if (transfers.some((entry) => entry.asset === asset && entry.to !== payTo)) return 'payment_wrong_recipient'
  if (transfers.some((entry) => entry.asset !== asset && entry.to === payTo)) return 'payment_wrong_asset'
  return 'payment_no_transfer'
}
