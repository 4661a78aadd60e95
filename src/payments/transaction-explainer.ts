import { formatMicros } from '../lib/money.ts'
import type { ChargeSummary } from '../store/charges.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { Chain } from './chain/chain.ts'
import { readPayment } from './chain/read-payment.ts'
import { RpcUnavailable } from './chain/rpc-endpoint.ts'
import type { PaymentContext } from './payment-context.ts'
import { isReason, type PaymentReason, paymentReasons } from './payment-reasons.ts'
import type { Hex } from './payment-settings.ts'

/** For the operator: why a transaction is refused, or what it bought. */
export interface Explanation {
  readonly txHash: string
  /** A state of the ledger, or the reason why it would be refused now. */
  readonly verdict: PaymentRow['state'] | PaymentReason | 'unspent' | 'unknown'
  /** The same for people. */
  readonly words: string
  readonly payments: readonly ExplainedPayment[]
}

export interface ExplainedPayment {
  readonly payment: PaymentRow
  readonly charges: readonly ChargeSummary[]
}

export function createTransactionExplainer({ store, settings }: PaymentContext, chain: Chain | undefined) {
  return async (hash: string): Promise<Explanation> => {
    const txHash = hash.toLowerCase() as Hex
    const stored = await store.payments.byTransaction(settings.chainId, txHash)
    const [first] = stored
    if (first === undefined) return { txHash, payments: [], ...(await explainUnrecorded(txHash)) }
    const payments = await Promise.all(stored.map(withCharges))
    return { txHash, verdict: first.state, words: describe(stored), payments }
  }

  async function withCharges(payment: PaymentRow): Promise<ExplainedPayment> {
    return { payment, charges: await store.charges.byPayment(payment.id) }
  }

  async function explainUnrecorded(txHash: Hex): Promise<Pick<Explanation, 'verdict' | 'words'>> {
    try {
      const receipt = (await chain?.receipt(txHash)) ?? null
      if (receipt === null) return { verdict: 'payment_not_found', words: paymentReasons.payment_not_found }
      const paid = readPayment(receipt, settings)
      if ('reason' in paid) return { verdict: paid.reason, words: paymentReasons[paid.reason] }
      const amount = `${formatMicros(paid.amountMicros)} ${settings.asset.symbol}`
      return {
        verdict: 'unspent',
        words: `It paid ${amount} and was never offered for a call that it covers.`,
      }
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error
      return { verdict: 'unknown', words: 'The ledger does not know it, and the chain cannot be asked now.' }
    }
  }
}

function describe(payments: readonly PaymentRow[]): string {
  return payments
    .map(({ state, amountMicros, spentMicros, payer, reason }) => {
      const money = `${formatMicros(spentMicros)} of ${formatMicros(amountMicros)} spent`
      const why = reason === null ? '' : ` (${isReason(reason) ? paymentReasons[reason] : reason})`
      return `${state}, from ${payer}: ${money}${why}.`
    })
    .join(' ')
}
