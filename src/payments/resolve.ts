import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import type { Chain } from './chain.ts'
import type { Settled, SettlementFinder } from './find-settlement.ts'
import { promisedBy } from './promised.ts'
import type { Reason } from './reasons.ts'
import type { Hex } from './settings.ts'

/** `idle`: no transaction carries the authorization, as far as the chain knows. */
export type Outcome = 'settled' | 'failed' | 'pending' | 'idle'

export interface Resolver {
  /** Finds out what became of a submitted payment and writes it down. */
  resolve(payment: PaymentRow): Promise<Outcome>
  markSettled(payment: PaymentRow, settled: Settled): void
  markFailed(payment: PaymentRow, reason: Reason): void
}

interface Deps {
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  readonly chain: Chain | undefined
  readonly finder: SettlementFinder | undefined
}

/** How far a chain's clock may be behind ours before an authorization is held to have expired. */
const chainLagMs = 60_000

export function createResolver({ store, clock, chain, finder }: Deps): Resolver {
  function markSettled(payment: PaymentRow, { txHash, blockNumber, blockHash }: Settled): void {
    const now = clock.now()
    const block = { blockNumber, blockHash, blockTimeMs: now }
    const change = {
      ...block,
      state: 'settled',
      txHash,
      reason: null,
      rawTransaction: null,
      updatedAtMs: now,
    } as const
    store.transaction(() => store.payments.update(payment.id, change), { durable: true })
  }

  function markFailed(payment: PaymentRow, reason: Reason): void {
    const change = { state: 'failed', reason, settlerNonce: null, rawTransaction: null } as const
    const write = () => {
      // Who saw the money arrive knows better.
      if (store.payments.byId(payment.id)?.state === 'settled') return
      store.payments.update(payment.id, { ...change, updatedAtMs: clock.now() })
    }
    store.transaction(write, { durable: true })
  }

  async function resolve(payment: PaymentRow): Promise<Outcome> {
    if (chain === undefined || finder === undefined) return 'idle'
    const promised = promisedBy(payment)
    const txHash = payment.txHash as Hex | null
    const receipt = txHash === null ? null : await chain.receipt(txHash)
    if (txHash !== null && receipt !== null && finder.settles(receipt, promised)) {
      markSettled(payment, { txHash, blockNumber: receipt.blockNumber, blockHash: receipt.blockHash })
      return 'settled'
    }
    if (await finder.isUsed(promised)) {
      const found = await finder.find(promised)
      if (found === undefined) markFailed(payment, 'invalid_exact_evm_payload_authorization_used')
      else markSettled(payment, found)
      return found === undefined ? 'failed' : 'settled'
    }
    if (receipt !== null || clock.now() > (payment.validUntilMs ?? 0) + chainLagMs) {
      markFailed(payment, 'settlement_failed')
      return 'failed'
    }
    const isWaiting = txHash !== null && (await chain.transaction(txHash)) !== null
    return isWaiting ? 'pending' : 'idle'
  }

  return { resolve, markSettled, markFailed }
}
