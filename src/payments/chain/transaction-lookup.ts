import { type Clock, isStillAhead } from '../../lib/clock.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import type { Block, Receipt, Transaction } from './chain-types.ts'

/** A transaction as the chain shows it at one moment. */
export interface TransactionView {
  readonly transaction: Transaction | null
  readonly receipt: Receipt | null
  readonly head: Block
}

export interface MinedTransaction extends TransactionView {
  readonly transaction: Transaction
  readonly receipt: Receipt
}

export function isMined(view: TransactionView): view is MinedTransaction {
  return view.receipt !== null && view.transaction !== null
}

const attemptsMax = 5
const retryMs = 20
/** For nodes that lag behind, an unknown hash is looked up once more after this time. */
const secondLookupMs = 1_500
const unknownForMs = 1_500
const unknownHashesMax = 10_000

/** Looks transactions up. Concurrent lookups of one hash are shared, and unknown hashes are cached. */
export function createTransactionLookup(chain: Chain, clock: Clock) {
  const running = new Map<Hex, Promise<TransactionView>>()
  const unknownUntil = new Map<Hex, number>()

  function readShared(txHash: Hex): Promise<TransactionView> {
    const shared = running.get(txHash)
    if (shared !== undefined) return shared
    const reading = Promise.all([chain.transaction(txHash), chain.receipt(txHash), chain.head()])
      .then(([transaction, receipt, head]) => ({ transaction, receipt, head }))
      .finally(() => running.delete(txHash))
    running.set(txHash, reading)
    return reading
  }

  /** Reads again where a block arrived between the answers, so that they agree with one another. */
  async function read(txHash: Hex): Promise<TransactionView> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const view = await readShared(txHash)
      if ((view.receipt?.blockHash ?? null) === (view.transaction?.blockHash ?? null)) return view
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    throw new OutcomeUnknown('payments_unavailable', 'The chain moved while it was read.', 1)
  }

  async function appearsLater(txHash: Hex, deadlineMs: number): Promise<boolean> {
    const pauseMs = Math.min(deadlineMs - performance.now(), secondLookupMs)
    if (pauseMs <= 0) return false
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return (await chain.transaction(txHash)) !== null
  }

  function cacheUnknown(txHash: Hex): void {
    const now = clock.now()
    for (const [hash, untilMs] of unknownUntil) {
      if (untilMs > now && unknownUntil.size < unknownHashesMax) break
      unknownUntil.delete(hash)
    }
    unknownUntil.set(txHash, now + unknownForMs)
  }

  function isCachedUnknown(txHash: Hex): boolean {
    return isStillAhead(unknownUntil.get(txHash) ?? 0, clock.now(), unknownForMs)
  }

  return { read, appearsLater, cacheUnknown, isCachedUnknown }
}
