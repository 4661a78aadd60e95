import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { createCoalescer } from '../../lib/waiter.ts'
import { OutcomeUnknown, type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { confirmationsFor, type Hex } from '../payment-settings.ts'
import type { PaymentParts } from '../purchase.ts'
import { bindingOf } from '../wire/request-binding.ts'
import type { Block, Receipt, Transaction } from './answers.ts'
import type { Chain } from './chain.ts'
import { type PayerTransfers, readPayments } from './transfers.ts'

const retryAfterSeconds = 2

type Deps = PaymentParts & { readonly chain: Chain }

export interface TransferOffer {
  readonly txHash: Hex
  readonly priceMicros: number
  readonly clientAddress: string
  readonly choose: PayerChoice
}

type TransactionView = readonly [Transaction | null, Receipt | null, head: Block]

const attemptsMax = 5
const retryMs = 20
/** For nodes that lag behind, an unknown hash is looked up once more after this time. */
const secondLookupMs = 1_500
const unknownForMs = 1_500
const unknownHashesMax = 10_000

export function createTransferVerifier(deps: Deps) {
  const { chain, settings, waits } = deps
  const coalesce = createCoalescer<TransactionView>()
  const unknown = new LRUCache<Hex, true>({ max: unknownHashesMax, ttl: unknownForMs })

  /** Reads again where a block arrived between the answers, so that they agree. Concurrent reads of one hash are shared. */
  async function read(txHash: Hex): Promise<TransactionView> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const view = await coalesce(txHash, () =>
        Promise.all([chain.transaction(txHash), chain.receipt(txHash), chain.head()]),
      )
      const [transaction, receipt] = view
      if ((receipt?.blockHash ?? null) === (transaction?.blockHash ?? null)) return view
      await sleep(retryMs)
    }
    throw new OutcomeUnknown('payments_unavailable', 'The chain moved while it was read.', 1)
  }

  /** Looks again after a pause. An address without a place to wait does not wait. */
  async function appearsLater(txHash: Hex, clientAddress: string, deadlineMs: number): Promise<boolean> {
    const pauseMs = Math.min(deadlineMs - performance.now(), secondLookupMs)
    if (pauseMs <= 0) return false
    async function look(): Promise<boolean> {
      await sleep(pauseMs)
      return (await chain.transaction(txHash)) !== null
    }
    return await waits.inPlace(clientAddress, look).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) return false
      throw error
    })
  }

  /** Throws `OutcomeUnknown`, also where there is no place to wait, or `RpcUnavailable`. */
  return async ({ txHash, priceMicros, clientAddress, choose }: TransferOffer) => {
    if (unknown.has(txHash)) return refuse('payment_not_found', retryAfterSeconds)
    const deadlineMs = performance.now() + settings.waitMs
    let lastReceipt: Receipt | undefined
    let isSecondLookup = false
    // A head that was seen before the transaction was read: a newer one may hold the transaction already.
    let next: Block | undefined
    for (;;) {
      const [transaction, receipt, head] = await read(txHash)
      const isMined = receipt !== null && transaction !== null
      if (isMined) {
        lastReceipt = receipt
        const outcome = await judgeTransfer(deps, transaction, receipt, head, priceMicros, choose)
        if (outcome !== 'unconfirmed') return outcome
      } else if (transaction === null && lastReceipt !== undefined) {
        if (await chain.isReplaced(lastReceipt, priceMicros)) return refuse('payment_reorged')
      } else if (transaction === null) {
        if (isSecondLookup || !(await appearsLater(txHash, clientAddress, deadlineMs))) {
          unknown.set(txHash, true)
          return refuse('payment_not_found', retryAfterSeconds)
        }
        isSecondLookup = true
        continue
      }
      const seenHead = isMined ? head.number : (next?.number ?? head.number - 1)
      next = await waits.inPlace(clientAddress, () => chain.headAbove(seenHead, deadlineMs))
      if (next !== undefined) continue
      if (receipt !== null) return refuse('payment_unconfirmed', retryAfterSeconds)
      // It was mined before: one answer without it does not prove that it is gone.
      if (transaction === null)
        throw new OutcomeUnknown('payments_unavailable', 'The chain is being rearranged.', retryAfterSeconds)
      return refuse('payment_pending', retryAfterSeconds)
    }
  }
}

/** `sufficient`: the transfers of payers who sent at least the lowest price. */
export type PayerChoice = (
  paid: Readonly<
    Record<'transfers' | 'sufficient', readonly PayerTransfers[]> & { transaction: Transaction }
  >,
) => PayerTransfers | PaymentRefusal | Promise<PayerTransfers | PaymentRefusal>

async function judgeTransfer(
  deps: Deps,
  transaction: Transaction,
  receipt: Receipt,
  head: Block,
  priceMicros: number,
  choose: PayerChoice,
) {
  const { chain, settings, lowestPriceMicros } = deps
  const transfers = readPayments(receipt, settings)
  const paid = typeof transfers === 'string' ? [] : transfers
  const sufficient = paid.filter(({ amountMicros }) => amountMicros >= lowestPriceMicros)
  const chosen =
    typeof transfers === 'string' ? refuse(transfers) : await choose({ transfers, sufficient, transaction })
  // A failed transaction may succeed in another block, so this refusal needs confirmations too.
  if ('kind' in chosen && transfers !== 'payment_tx_failed') return chosen
  if (!('kind' in chosen) && chosen.amountMicros < priceMicros) return refuse('payment_insufficient')
  const needed = confirmationsFor(settings, priceMicros)
  if (Math.max(head.number - receipt.blockNumber + 1, 1) < needed) return 'unconfirmed'
  const mayUseLogTime = needed === 1 && settings.rpc.quorum === 1
  const block = blockFromAnswers(receipt, head, mayUseLogTime) ?? (await chain.block(receipt.blockNumber))
  // A reorganization is under way: the next block shows whether the transaction stays.
  if (block === null || block.hash !== receipt.blockHash) return 'unconfirmed'
  if ('kind' in chosen) return chosen
  if (isTooOld(block, deps)) return refuse('payment_too_old')
  const { payer, amountMicros, logIndexes } = chosen
  const { txHash, blockNumber, blockHash } = receipt
  const place = { blockNumber, blockHash, blockTimeMs: block.timeMs }
  // Others who are paid for in the transaction have not signed its calldata.
  const binding = transaction.from === payer ? bindingOf(transaction.input) : undefined
  const scope = sufficient.length > 1 ? 'one-of-several' : 'payer'
  return { kind: 'verified', txHash, payer, amountMicros, logIndexes, ...place, binding, scope } as const
}

/** The receipt's block where head or logs tell all of it: saves a request for a fresh transaction. */
function blockFromAnswers(receipt: Receipt, head: Block, mayUseLogTime: boolean): Block | undefined {
  if (receipt.blockNumber === head.number) return head
  const timeMs = receipt.logs.find((log) => log.blockTimeMs !== undefined)?.blockTimeMs
  if (!mayUseLogTime || timeMs === undefined) return undefined
  return { number: receipt.blockNumber, hash: receipt.blockHash, timeMs }
}

/** Transfers older than allowed, or from before this service, are not ours to sell. */
export function isTooOld({ timeMs }: Block, { settings, clock, firstStartMs }: PaymentParts): boolean {
  return timeMs < clock.now() - settings.maxAgeMs || timeMs < Math.floor(firstStartMs / 1000) * 1000
}
