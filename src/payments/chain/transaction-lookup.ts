import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { createCoalescer } from '../../lib/coalescer.ts'
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
export function createTransactionLookup(chain: Chain) {
  const coalesce = createCoalescer<TransactionView>()
  const unknown = new LRUCache<Hex, true>({ max: unknownHashesMax, ttl: unknownForMs })

  async function readOnce(txHash: Hex): Promise<TransactionView> {
    const answers = [chain.transaction(txHash), chain.receipt(txHash), chain.head()] as const
    const [transaction, receipt, head] = await Promise.all(answers)
    return { transaction, receipt, head }
  }

  /** Reads again where a block arrived between the answers, so that they agree with one another. */
  async function read(txHash: Hex): Promise<TransactionView> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const view = await coalesce(txHash, () => readOnce(txHash))
      if ((view.receipt?.blockHash ?? null) === (view.transaction?.blockHash ?? null)) return view
      await sleep(retryMs)
    }
    throw new OutcomeUnknown('payments_unavailable', 'The chain moved while it was read.', 1)
  }

  async function appearsLater(txHash: Hex, deadlineMs: number): Promise<boolean> {
    const pauseMs = Math.min(deadlineMs - performance.now(), secondLookupMs)
    if (pauseMs <= 0) return false
    await sleep(pauseMs)
    return (await chain.transaction(txHash)) !== null
  }

  return { read, appearsLater, unknown }
}
