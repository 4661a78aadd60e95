import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { Chain } from '../chain/chain.ts'
import type { Receipt } from '../chain/chain-types.ts'
import type { Hex } from '../payment-settings.ts'
import { clampToNumber } from '../token-amount.ts'
import type { SettlementResolver } from './settlement-resolver.ts'

/** Records what a mined transaction of our settler cost, once per transaction. Never throws. */
export interface SettlementCostLog {
  record(payment: PaymentRow, txHash: string, receipt: Receipt, isSettled: boolean): void
}

interface Deps {
  readonly store: Pick<Store, 'settlements'>
  readonly clock: Clock
  readonly log: Log
}

const weiPerGwei = 1_000_000_000n

export function createSettlementCostLog({ store, clock, log }: Deps): SettlementCostLog {
  return {
    record({ id, payer }, txHash, { cost }, isSettled) {
      const costs = {
        gasUsed: clampToNumber(cost.gasUsed),
        gasPriceWei: clampToNumber(cost.gasPriceWei),
        feeGwei: clampToNumber((cost.feeWei + weiPerGwei - 1n) / weiPerGwei),
      }
      try {
        store.settlements.add({
          ...costs,
          txHash,
          paymentId: id,
          payer,
          isSettled,
          createdAtMs: clock.now(),
        })
      } catch (error) {
        // The settlement is decided already: bookkeeping must not change the response.
        log.error('what a settlement cost could not be written down', {
          txHash,
          ...costs,
          problem: String(error),
        })
      }
    },
  }
}

/** The resolver, which also records the cost of settlements that it finds later. */
export function recordResolved(
  resolver: SettlementResolver,
  costs: SettlementCostLog,
  chain: Pick<Chain, 'receipt'> | undefined,
): SettlementResolver {
  return {
    ...resolver,
    async resolve(payment) {
      const outcome = await resolver.resolve(payment)
      const isDecided = outcome === 'settled' || outcome === 'failed'
      // Rows that a facilitator settled have no address as their settler.
      if (!isDecided || payment.txHash === null || payment.settler?.startsWith('0x') !== true) return outcome
      const receipt = await chain?.receipt(payment.txHash as Hex).catch(() => null)
      if (receipt) costs.record(payment, payment.txHash, receipt, outcome === 'settled')
      return outcome
    },
  }
}
