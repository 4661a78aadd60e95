import type { PaymentRow } from '../../store/payment-row.ts'
import type { Receipt } from '../chain/chain-types.ts'
import type { PaymentContext } from '../payment-context.ts'
import { clampToNumber } from '../token-amount.ts'

const weiPerGwei = 1_000_000_000n

/** Records what a mined transaction of our settler cost, once per transaction. Never rejects. */
export async function recordSettlementCost(
  { store, clock, log }: Pick<PaymentContext, 'store' | 'clock' | 'log'>,
  { id: paymentId, payer }: Pick<PaymentRow, 'id' | 'payer'>,
  { txHash, cost }: Receipt,
  isSettled: boolean,
): Promise<void> {
  const costs = {
    gasUsed: clampToNumber(cost.gasUsed),
    gasPriceWei: clampToNumber(cost.gasPriceWei),
    feeGwei: clampToNumber((cost.feeWei + weiPerGwei - 1n) / weiPerGwei),
  }
  try {
    const settlement = { ...costs, txHash, paymentId, payer, isSettled, createdAtMs: clock.now() }
    await store.transaction(() => store.settlements.add(settlement))
  } catch (error) {
    // The settlement is decided already: bookkeeping must not change the response.
    const problem = String(error)
    log.error('what a settlement cost could not be written down', { txHash, ...costs, problem })
  }
}
