import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import type { Hex } from '../payment-settings.ts'
import type { Block, Receipt } from './chain-types.ts'
import {
  judgeTransfer,
  type PayerChoice,
  type VerifiedTransfer,
  type VerifierDeps,
} from './judge-transfer.ts'
import { createTransactionLookup, isMined } from './transaction-lookup.ts'

const waitersMax = 256
/** With more waiters than this, unknown hashes are not looked up a second time. */
const secondLookupWaitersMax = 64
const retryAfterSeconds = 2

type Verdict = Promise<VerifiedTransfer | PaymentRefusal>

export type TransferVerifier = ReturnType<typeof createTransferVerifier>

export function createTransferVerifier(deps: VerifierDeps) {
  const { chain, heads, settings, finality } = deps
  const lookup = createTransactionLookup(chain)
  let waiters = 0

  async function verify(txHash: Hex, priceMicros: number, choose: PayerChoice, deadlineMs: number): Verdict {
    let seen: Receipt | undefined
    let isSecondLookup = false
    // A head that was seen before the transaction was read: a newer one may hold the transaction already.
    let next: Block | undefined
    for (;;) {
      const view = await lookup.read(txHash)
      const { head, receipt, transaction } = view
      if (isMined(view)) {
        seen = view.receipt
        const outcome = await judgeTransfer(deps, view, priceMicros, choose)
        if (outcome !== 'unconfirmed') return outcome
      } else if (transaction === null && seen !== undefined) {
        if (await finality.isReplaced(seen, priceMicros)) return refuse('payment_reorged')
      } else if (transaction === null) {
        const isGivenUp = isSecondLookup || waiters > secondLookupWaitersMax
        if (isGivenUp || !(await lookup.appearsLater(txHash, deadlineMs))) {
          lookup.unknown.set(txHash, true)
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

  /** Waits for the transaction up to `waitMs` of the settings. Throws `OutcomeUnknown` or `RpcUnavailable`. */
  return async (txHash: Hex, priceMicros: number, choose: PayerChoice): Verdict => {
    if (lookup.unknown.has(txHash)) return refuse('payment_not_found', retryAfterSeconds)
    waiters += 1
    try {
      const waitMs = waiters <= waitersMax ? settings.waitMs : 0
      return await verify(txHash, priceMicros, choose, performance.now() + waitMs)
    } finally {
      waiters -= 1
    }
  }
}
