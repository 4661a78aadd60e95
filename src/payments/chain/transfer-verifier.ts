import { type Clock, isStillAhead } from '../../lib/clock.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import { confirmationsFor, type Hex, type PaymentSettings } from '../payment-settings.ts'
import { bindingOf } from '../wire/request-binding.ts'
import type { Block, Chain, Receipt, Transaction } from './chain.ts'
import type { Finality } from './finality.ts'
import type { HeadWatch } from './head-watch.ts'
import { readPayment } from './read-payment.ts'

/** Money that arrived, as the chain tells it. */
export interface VerifiedTransfer {
  readonly kind: 'verified'
  readonly txHash: Hex
  /** Who owned the money before: of several, who gave most. */
  readonly payer: Hex
  readonly amountMicros: number
  /** The logs that the amount is the sum of. */
  readonly logIndexes: readonly number[]
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly blockTimeMs: number
  /** The request that the calldata names. */
  readonly binding: string | undefined
}

export interface TransferVerifier {
  /** Waits for the transaction within the configured time. Throws when the chain cannot be asked. */
  verify(txHash: Hex, priceMicros: number): Promise<VerifiedTransfer | PaymentRefusal>
}

interface Deps {
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly settings: PaymentSettings
  readonly clock: Clock
  readonly finality: Finality
  /** Transfers from before are not ours to sell. */
  readonly firstStartMs: number
}

type MinedFacts = { readonly transaction: Transaction; readonly receipt: Receipt; readonly head: Block }

interface Facts {
  readonly transaction: Transaction | null
  readonly receipt: Receipt | null
  readonly head: Block
}

/** An unknown hash is looked up once more after this time, for nodes that lag behind. */
const secondLookMs = 1_500
/** How often, and how soon, a transaction is read again that was mined between two of our questions. */
const readAgainMax = 5
const readAgainMs = 20
const unknownForMs = 1_500
const waitersMax = 256
/** In a crowd of strangers nobody is looked up twice. */
const secondLookersMax = 64
const retryAfterSeconds = 2

export function createTransferVerifier({
  chain,
  heads,
  settings,
  clock,
  finality: evidence,
  firstStartMs,
}: Deps): TransferVerifier {
  const underWay = new Map<Hex, Promise<Facts>>()
  const unknownUntil = new Map<Hex, number>()
  let waiters = 0

  function lookUp(txHash: Hex): Promise<Facts> {
    const shared = underWay.get(txHash)
    if (shared !== undefined) return shared
    const asked = Promise.all([chain.transaction(txHash), chain.receipt(txHash), chain.head()])
      .then(([transaction, receipt, head]) => ({ transaction, receipt, head }))
      .finally(() => underWay.delete(txHash))
    underWay.set(txHash, asked)
    return asked
  }

  /** Three answers that belong together: the block may have come between them. */
  async function lookUpWhole(txHash: Hex): Promise<Facts> {
    for (let attempt = 0; attempt < readAgainMax; attempt += 1) {
      const transactionFacts = await lookUp(txHash)
      if ((transactionFacts.receipt?.blockHash ?? null) === (transactionFacts.transaction?.blockHash ?? null))
        return transactionFacts
      await new Promise((resolve) => setTimeout(resolve, readAgainMs))
    }
    throw new OutcomeUnknown('payments_unavailable', 'The chain moved while it was read.', 1)
  }

  async function verify(
    txHash: Hex,
    priceMicros: number,
    mayWait: boolean,
  ): Promise<VerifiedTransfer | PaymentRefusal> {
    const deadlineMs = performance.now() + (mayWait ? settings.waitMs : 0)
    let seen: Receipt | undefined
    let lookedTwice = false
    // A block that was there before the look: the one that came with it may hold what the look did not see yet.
    let next: Block | undefined
    for (;;) {
      const transactionFacts = await lookUpWhole(txHash)
      const { head } = transactionFacts
      if (isMined(transactionFacts)) {
        seen = transactionFacts.receipt
        const outcome = await judge(txHash, transactionFacts, priceMicros)
        if (outcome !== 'unconfirmed') return outcome
      } else if (transactionFacts.transaction === null && seen !== undefined) {
        if (await evidence.isReplaced(seen, priceMicros)) return refuse('payment_reorged')
      } else if (transactionFacts.transaction === null) {
        if (lookedTwice || waiters > secondLookersMax || !(await appearsLater(txHash, deadlineMs))) {
          remember(txHash)
          return refuse('payment_not_found', retryAfterSeconds)
        }
        lookedTwice = true
        continue
      }
      next = await heads.above(
        isMined(transactionFacts) ? head.number : (next?.number ?? head.number - 1),
        deadlineMs,
      )
      if (next !== undefined) continue
      if (transactionFacts.receipt !== null) return refuse('payment_unconfirmed', retryAfterSeconds)
      // It was there, and one answer without it is not enough to say that it has gone.
      if (transactionFacts.transaction === null)
        throw new OutcomeUnknown('payments_unavailable', 'The chain is being rearranged.', retryAfterSeconds)
      return refuse('payment_pending', retryAfterSeconds)
    }
  }

  async function appearsLater(txHash: Hex, deadlineMs: number): Promise<boolean> {
    const pauseMs = Math.min(deadlineMs - performance.now(), secondLookMs)
    if (pauseMs <= 0) return false
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return (await chain.transaction(txHash)) !== null
  }

  function remember(txHash: Hex): void {
    const now = clock.now()
    for (const [stored, untilMs] of unknownUntil) {
      if (untilMs > now && unknownUntil.size < 10_000) break
      unknownUntil.delete(stored)
    }
    unknownUntil.set(txHash, now + unknownForMs)
  }

  async function judge(
    txHash: Hex,
    { transaction, receipt, head }: MinedFacts,
    priceMicros: number,
  ): Promise<VerifiedTransfer | PaymentRefusal | 'unconfirmed'> {
    const paid = readPayment(receipt, settings)
    // In another block a failed transaction may succeed, so this verdict has to wait for its block as well.
    const mayChange = 'reason' in paid && paid.reason === 'payment_tx_failed'
    if ('reason' in paid && !mayChange) return refuse(paid.reason)
    if (!('reason' in paid) && paid.amountMicros < priceMicros) return refuse('payment_insufficient')
    const needed = confirmationsFor(settings, priceMicros)
    if (Math.max(head.number - receipt.blockNumber + 1, 1) < needed) return 'unconfirmed'
    const block = await findBlock(receipt, head, needed)
    // The chain is being rearranged: the next block tells whether the transaction stays.
    if (block === null || block.hash !== receipt.blockHash) return 'unconfirmed'
    if ('reason' in paid) return refuse(paid.reason)
    const tooOld = block.timeMs < clock.now() - settings.maxAgeMs
    if (tooOld || block.timeMs < Math.floor(firstStartMs / 1000) * 1000) return refuse('payment_too_old')
    return {
      kind: 'verified',
      txHash,
      payer: paid.payer,
      amountMicros: paid.amountMicros,
      logIndexes: paid.logIndexes,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      blockTimeMs: block.timeMs,
      binding: bindingOf(transaction.input),
    }
  }

  /** The receipt's block. A fresh one needs no call of its own: its head or its logs tell all that is asked. */
  async function findBlock(receipt: Receipt, head: Block, needed: number): Promise<Block | null> {
    if (receipt.blockNumber === head.number) return head
    const timeMs = receipt.logs.find((log) => log.timeMs !== undefined)?.timeMs
    if (needed > 1 || settings.rpc.quorum > 1 || timeMs === undefined)
      return await chain.block(receipt.blockNumber)
    return { number: receipt.blockNumber, hash: receipt.blockHash, timeMs }
  }

  return {
    async verify(txHash, priceMicros) {
      if (isStillAhead(unknownUntil.get(txHash) ?? 0, clock.now(), unknownForMs))
        return refuse('payment_not_found', retryAfterSeconds)
      waiters += 1
      try {
        return await verify(txHash, priceMicros, waiters <= waitersMax)
      } finally {
        waiters -= 1
      }
    },
  }
}

function isMined(transactionFacts: Facts): transactionFacts is MinedFacts {
  return transactionFacts.receipt !== null && transactionFacts.transaction !== null
}
