import { formatMicros } from '../../lib/money.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import { knownNetworks } from '../payment-settings.ts'
import { encodeBase64Json } from './base64-json.ts'
import { mppReceipt } from './mpp.ts'

/** Receipt headers, in the format that the payer used. */
export function receiptHeaders(payment: PaymentRow, timeMs: number): Record<string, string> {
  const { via, txHash, payer, amountMicros, spentMicros } = payment
  const transaction = txHash ?? ''
  const left = amountMicros - spentMicros
  const credit: Record<string, string> = left > 0 ? { 'X-Payment-Credit': formatMicros(left) } : {}
  if (via === 'mpp') return { ...credit, 'Payment-Receipt': mppReceipt(transaction, timeMs) }
  const success = { success: true, transaction, network: networkFor(payment), payer }
  return { ...credit, [responseHeader(payment)]: encodeBase64Json(success) }
}

/** Headers for a settlement that failed, in the format that the payer used. */
export function settlementFailedHeaders(
  payment: PaymentRow,
  errorReason: PaymentReason,
): Record<string, string> {
  const { via, payer } = payment
  if (!via.startsWith('x402')) return {}
  const failure = { success: false, errorReason, transaction: '', network: networkFor(payment), payer }
  return { [responseHeader(payment)]: encodeBase64Json(failure) }
}

function responseHeader({ via }: PaymentRow): string {
  return via === 'x402-v2' ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE'
}

function networkFor({ via, chainId }: PaymentRow): string {
  const v1Name = via === 'x402-v1' ? knownNetworks[chainId]?.v1Name : undefined
  return v1Name ?? `eip155:${chainId}`
}
