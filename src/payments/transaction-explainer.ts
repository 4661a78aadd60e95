import { formatMicros } from '../lib/human-format.ts'
import type { ChargeSummary } from '../store/charges.ts'
import type { PaymentRow } from '../store/payment-states.ts'
import type { Chain } from './chain/chain.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import { type PayerTransfers, readPayments } from './chain/transfers.ts'
import { isReason, type PaymentReason, paymentReasons } from './payment-reasons.ts'
import type { Hex, PaymentContext } from './payment-settings.ts'

/** For the operator: why a transaction is refused, or what it bought. */
export interface Explanation {
  readonly txHash: string
  /** A state of the ledger, or the reason why it would be refused now. */
  readonly verdict: PaymentRow['state'] | PaymentReason | 'unspent' | 'unknown'
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
    const payments = await Promise.all(
      stored.map(async (payment) => ({ payment, charges: await store.charges.byPayment(payment.id) })),
    )
    const words = [describe(stored), await explainOthers(txHash, stored)].filter(Boolean).join(' ')
    return { txHash, verdict: first.state, words, payments }
  }

  /** Other payers of the transaction, who have not offered their payments yet. */
  async function explainOthers(txHash: Hex, stored: readonly PaymentRow[]): Promise<string> {
    if (!stored.some(({ scope }) => scope === 'one-of-several')) return ''
    const recorded = new Set(stored.flatMap(({ method, payer }) => (method === 'transfer' ? payer : [])))
    const paid = await readUnrecorded(txHash).catch(unavailableOnly)
    if (typeof paid !== 'object') return ''
    const others = paid.filter(({ payer }) => !recorded.has(payer))
    return others.length === 0 ? '' : describePaid(others)
  }

  async function readUnrecorded(txHash: Hex) {
    const receipt = (await chain?.receipt(txHash)) ?? null
    return receipt === null ? ('payment_not_found' as const) : readPayments(receipt, settings)
  }

  async function explainUnrecorded(txHash: Hex): Promise<Pick<Explanation, 'verdict' | 'words'>> {
    const paid = await readUnrecorded(txHash).catch(unavailableOnly)
    if (paid === undefined)
      return { verdict: 'unknown', words: 'The ledger does not know it, and the chain cannot be asked now.' }
    if (typeof paid === 'string') return { verdict: paid, words: paymentReasons[paid] }
    return { verdict: 'unspent', words: describePaid(paid) }
  }

  function describePaid(paid: readonly PayerTransfers[]): string {
    const { symbol } = settings.asset
    return paid
      .map(
        ({ payer, amountMicros }) =>
          `${payer} paid ${formatMicros(amountMicros)} ${symbol}, which was never offered for a call that it covers.`,
      )
      .join(' ')
  }
}

function unavailableOnly(error: unknown): undefined {
  if (!(error instanceof RpcUnavailable)) throw error
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
