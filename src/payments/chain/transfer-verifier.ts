import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import type { Hex } from '../payment-settings.ts'
import type { PaymentWaits } from '../payment-waits.ts'
import type { Block, Receipt } from './chain-types.ts'
import {
  judgeTransfer,
  type PayerChoice,
  type VerifiedTransfer,
  type VerifierDeps,
} from './judge-transfer.ts'
import { createTransactionLookup, isMined } from './transaction-lookup.ts'

const retryAfterSeconds = 2

type Verdict = Promise<VerifiedTransfer | PaymentRefusal>

export type TransferVerifier = ReturnType<typeof createTransferVerifier>

interface Deps extends VerifierDeps {
  readonly waits: PaymentWaits
}

/** A transaction that a caller shows as a payment. */
export interface TransferOffer {
  readonly txHash: Hex
  readonly priceMicros: number
  readonly clientAddress: string
  readonly choose: PayerChoice
}

export function createTransferVerifier(deps: Deps) {
  const { chain, heads, settings, finality, waits } = deps
  const lookup = createTransactionLookup(chain)

  /** Whether the transaction is there after a pause. An address without a place to wait does not wait. */
  async function appearsLater(txHash: Hex, clientAddress: string, deadlineMs: number): Promise<boolean> {
    const look = () => lookup.appearsLater(txHash, deadlineMs)
    return await waits.inPlace(clientAddress, look).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) return false
      throw error
    })
  }

  async function verify(
    { txHash, priceMicros, clientAddress, choose }: TransferOffer,
    deadlineMs: number,
  ): Verdict {
    let lastReceipt: Receipt | undefined
    let isSecondLookup = false
    // A head that was seen before the transaction was read: a newer one may hold the transaction already.
    let next: Block | undefined
    for (;;) {
      const view = await lookup.read(txHash)
      const { head, receipt, transaction } = view
      if (isMined(view)) {
        lastReceipt = view.receipt
        const outcome = await judgeTransfer(deps, view, priceMicros, choose)
        if (outcome !== 'unconfirmed') return outcome
      } else if (transaction === null && lastReceipt !== undefined) {
        if (await finality.isReplaced(lastReceipt, priceMicros)) return refuse('payment_reorged')
      } else if (transaction === null) {
        if (isSecondLookup || !(await appearsLater(txHash, clientAddress, deadlineMs))) {
          lookup.unknown.set(txHash, true)
          return refuse('payment_not_found', retryAfterSeconds)
        }
        isSecondLookup = true
        continue
      }
      const seenHead = isMined(view) ? head.number : (next?.number ?? head.number - 1)
      next = await waits.inPlace(clientAddress, () => heads.above(seenHead, deadlineMs))
      if (next !== undefined) continue
      if (receipt !== null) return refuse('payment_unconfirmed', retryAfterSeconds)
      // It was mined before: one answer without it does not prove that it is gone.
      if (transaction === null)
        throw new OutcomeUnknown('payments_unavailable', 'The chain is being rearranged.', retryAfterSeconds)
      return refuse('payment_pending', retryAfterSeconds)
    }
  }

  /**
   * Waits for the transaction up to `waitMs` of the settings. Throws `OutcomeUnknown`, also where there is no
   * place to wait, or `RpcUnavailable`.
   */
  return async (offer: TransferOffer): Verdict => {
    if (lookup.unknown.has(offer.txHash)) return refuse('payment_not_found', retryAfterSeconds)
    return await verify(offer, performance.now() + settings.waitMs)
  }
}
