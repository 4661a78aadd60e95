import { formatMicros } from '../../lib/money.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import { findNetwork } from '../known-networks.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import { encodeBase64Json } from './base64-json.ts'
import { mppReceipt } from './mpp.ts'

/** The headers that tell a payer what happened, in the words of the way they paid. */
export function receiptHeaders(payment: PaymentRow, timeMs: number): Record<string, string> {
  const { txHash, payer, chainId, amountMicros, spentMicros } = payment
  const transaction = txHash ?? ''
  const left = amountMicros - spentMicros
  const credit: Record<string, string> = left > 0 ? { 'X-Payment-Credit': formatMicros(left) } : {}
  const success = { success: true, transaction, network: networkFor(payment), payer }
  switch (payment.via) {
    case 'mpp':
      return { ...credit, 'Payment-Receipt': mppReceipt(transaction, timeMs) }
    case 'x402-v2':
      return { ...credit, 'PAYMENT-RESPONSE': encodeBase64Json(success) }
    case 'x402-v1':
      return { ...credit, 'X-PAYMENT-RESPONSE': encodeBase64Json(success) }
    default:
      return {
        ...credit,
        'X-PAYMENT-RESPONSE': encodeBase64Json({ ...success, network: `eip155:${chainId}` }),
      }
  }
}

/** The same for a settlement that did not come about. */
export function settlementFailedHeaders(
  payment: PaymentRow,
  errorReason: PaymentReason,
): Record<string, string> {
  const { via, payer } = payment
  const failure = { success: false, errorReason, transaction: '', network: networkFor(payment), payer }
  if (via === 'x402-v2') return { 'PAYMENT-RESPONSE': encodeBase64Json(failure) }
  return via === 'x402-v1' ? { 'X-PAYMENT-RESPONSE': encodeBase64Json(failure) } : {}
}

function networkFor({ via, chainId }: PaymentRow): string {
  const v1Name = via === 'x402-v1' ? findNetwork(chainId)?.v1Name : undefined
  return v1Name ?? `eip155:${chainId}`
}
