import type { PaymentRow } from '../../store/payment-row.ts'
import { nobody } from '../../store/settlements.ts'
import type { Receipt } from '../chain/answers.ts'
import type { Chain } from '../chain/chain.ts'
import { clampToNumber, type PaymentContext } from '../payment-settings.ts'

const weiPerGwei = 1_000_000_000n

interface Deps extends Pick<PaymentContext, 'store' | 'clock' | 'log'> {
  readonly chain: Chain
}

/** Records what a mined transaction of our settler cost, once per transaction. Never rejects. */
export async function recordSettlementCost(
  { store, clock, log, chain }: Deps,
  payment: PaymentRow,
  receipt: Receipt,
  isSettled: boolean,
): Promise<void> {
  const { txHash, cost } = receipt
  const costs = {
    gasUsed: clampToNumber(cost.gasUsed),
    gasPriceWei: clampToNumber(cost.gasPriceWei),
    feeGwei: clampToNumber((cost.feeWei + weiPerGwei - 1n) / weiPerGwei),
  }
  try {
    const isPayers = isSettled || (await isPayersFault(chain, payment, receipt))
    const createdAtMs = clock.now()
    const payer = isPayers ? payment.payer : nobody
    const settlement = { ...costs, txHash, paymentId: payment.id, payer, isSettled, createdAtMs }
    await store.transaction(() => store.settlements.add(settlement))
  } catch (error) {
    // The settlement is decided already: bookkeeping must not change the response.
    const problem = String(error)
    log.error('what a settlement cost could not be written down', { txHash, ...costs, problem })
  }
}

/**
 * Whether a payer could have kept a settlement from failing. Nobody could if its block came when the authorization had
 * ended.
 */
async function isPayersFault(
  chain: Chain,
  { validUntilMs }: PaymentRow,
  { succeeded, blockNumber }: Receipt,
): Promise<boolean> {
  if (succeeded) return false
  const block = await chain.block(blockNumber).catch(() => null)
  // Without the block nobody is blamed: a node that fails is no payer's fault either.
  return block !== null && block.timeMs < (validUntilMs ?? Number.POSITIVE_INFINITY)
}
