import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import type { Hex } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import type { Block, Receipt } from './chain-types.ts'
import type { Finality } from './finality.ts'
import type { HeadWatch } from './head-watch.ts'
import { type JudgeDeps, judgeTransfer, type VerifiedTransfer } from './judge-transfer.ts'
import { createTransactionLookup, isMined } from './transaction-lookup.ts'

export interface TransferVerifier {
  /** Waits for the transaction up to `waitMs` of the settings. Throws `OutcomeUnknown` or `RpcUnavailable`. */
  verify(txHash: Hex, priceMicros: number): Promise<VerifiedTransfer | PaymentRefusal>
}

interface Deps extends JudgeDeps {
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly finality: Finality
}

const waitersMax = 256
/** With more waiters than this, unknown hashes are not looked up a second time. */
const secondLookupWaitersMax = 64
const retryAfterSeconds = 2

export function createTransferVerifier(deps: Deps): TransferVerifier {
  const { chain, heads, settings, clock, finality } = deps
  const lookup = createTransactionLookup(chain, clock)
  let waiters = 0

  async function verify(
    txHash: Hex,
    priceMicros: number,
    deadlineMs: number,
  ): Promise<VerifiedTransfer | PaymentRefusal> {
    let seen: Receipt | undefined
    let isSecondLookup = false
    // A head that was seen before the transaction was read: a newer one may hold the transaction already.
    let next: Block | undefined
    for (;;) {
      const view = await lookup.read(txHash)
      const { head, receipt, transaction } = view
      if (isMined(view)) {
        seen = view.receipt
        const outcome = await judgeTransfer(deps, view, priceMicros)
        if (outcome !== 'unconfirmed') return outcome
      } else if (transaction === null && seen !== undefined) {
        if (await finality.isReplaced(seen, priceMicros)) return refuse('payment_reorged')
      } else if (transaction === null) {
        const isGivenUp = isSecondLookup || waiters > secondLookupWaitersMax
        if (isGivenUp || !(await lookup.appearsLater(txHash, deadlineMs))) {
          lookup.cacheUnknown(txHash)
          return refuse('payment_not_found', retryAfterSeconds)
        }
        isSecondLookup = true
        continue
      }
      next = await heads.above(isMined(view) ? head.number : (next?.number ?? head.number - 1), deadlineMs)
      if (next !== undefined) continue
      if (receipt !== null) return refuse('payment_unconfirmed', retryAfterSeconds)
      // It was mined before: one answer without it does not prove that it is gone.
      if (transaction === null)
        throw new OutcomeUnknown('payments_unavailable', 'The chain is being rearranged.', retryAfterSeconds)
      return refuse('payment_pending', retryAfterSeconds)
    }
  }

  return {
    async verify(txHash, priceMicros) {
      if (lookup.isCachedUnknown(txHash)) return refuse('payment_not_found', retryAfterSeconds)
      waiters += 1
      try {
        const waitMs = waiters <= waitersMax ? settings.waitMs : 0
        return await verify(txHash, priceMicros, performance.now() + waitMs)
      } finally {
        waiters -= 1
      }
    },
  }
}
