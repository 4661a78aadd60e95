import type { PaymentReason } from '../payment-reasons.ts'
import { type Hex, type PaymentSettings, termsInLowerCase } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import type { Receipt } from './chain-types.ts'
import { readTransfers, readUsedAuthorizations, type Transfer } from './erc20.ts'

export interface PaidByTransfers {
  /** The sender of the money; of several, the one who sent most. */
  readonly payer: Hex
  readonly amountMicros: number
  /** The logs whose values add up to the amount. */
  readonly logIndexes: readonly number[]
}

/** What a mined transaction paid us: the sum of the token's transfers from others. */
export function readPayment(
  receipt: Receipt,
  settings: Pick<PaymentSettings, 'asset' | 'payTo'>,
): PaidByTransfers | { readonly reason: PaymentReason } {
  const { asset, payTo } = termsInLowerCase(settings)
  if (!receipt.succeeded) return { reason: 'payment_tx_failed' }
  if (readUsedAuthorizations(receipt.logs, asset).length > 0)
    return { reason: 'payment_made_by_authorization' }
  const transfers = readTransfers(receipt.logs)
  const ours = transfers.filter(
    (entry) => entry.asset === asset && entry.to === payTo && entry.from !== payTo,
  )
  if (ours.length === 0) return { reason: whyNot(transfers, asset, payTo) }
  const given = new Map<Hex, bigint>()
  for (const { from, value } of ours) given.set(from, (given.get(from) ?? 0n) + value)
  const [[payer]] = [...given].toSorted(([, a], [, b]) => Number(b - a)) as [[Hex, bigint]]
  const sum = ours.reduce((total, { value }) => total + value, 0n)
  return { payer, amountMicros: toMicros(sum, settings.asset), logIndexes: ours.map(({ index }) => index) }
}

function whyNot(transfers: readonly Transfer[], asset: Hex, payTo: Hex): PaymentReason {
  if (transfers.some((entry) => entry.asset === asset && entry.to !== payTo)) return 'payment_wrong_recipient'
  if (transfers.some((entry) => entry.asset !== asset && entry.to === payTo)) return 'payment_wrong_asset'
  return 'payment_no_transfer'
}
