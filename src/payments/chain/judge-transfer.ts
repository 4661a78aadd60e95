import type { PaymentContext } from '../payment-context.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { confirmationsFor, type Hex } from '../payment-settings.ts'
import { bindingOf } from '../wire/request-binding.ts'
import type { Block, Receipt } from './chain-types.ts'
import type { ChainAccess } from './open-chain.ts'
import { type PaidByTransfers, readPayment } from './read-payment.ts'
import type { MinedTransaction } from './transaction-lookup.ts'

/** A confirmed transfer to us. */
export interface VerifiedTransfer extends PaidByTransfers {
  readonly kind: 'verified'
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly blockTimeMs: number
  /** The request that the calldata is bound to. */
  readonly binding: string | undefined
}

export interface VerifierDeps extends PaymentContext, ChainAccess {
  readonly firstStartMs: number
}

/** What a mined transaction is worth as a payment; `unconfirmed` while its block may still change. */
export async function judgeTransfer(
  deps: VerifierDeps,
  { transaction, receipt, head }: MinedTransaction,
  priceMicros: number,
): Promise<VerifiedTransfer | PaymentRefusal | 'unconfirmed'> {
  const { chain, settings } = deps
  const paid = readPayment(receipt, settings)
  // A failed transaction may succeed in another block, so this refusal needs confirmations too.
  const mayChange = 'reason' in paid && paid.reason === 'payment_tx_failed'
  if ('reason' in paid && !mayChange) return refuse(paid.reason)
  if (!('reason' in paid) && paid.amountMicros < priceMicros) return refuse('payment_insufficient')
  const needed = confirmationsFor(settings, priceMicros)
  if (Math.max(head.number - receipt.blockNumber + 1, 1) < needed) return 'unconfirmed'
  const mayUseLogTime = needed === 1 && settings.rpc.quorum === 1
  const block = blockFromAnswers(receipt, head, mayUseLogTime) ?? (await chain.block(receipt.blockNumber))
  // A reorganization is under way: the next block shows whether the transaction stays.
  if (block === null || block.hash !== receipt.blockHash) return 'unconfirmed'
  if ('reason' in paid) return refuse(paid.reason)
  if (isTooOld(block, deps)) return refuse('payment_too_old')
  const { txHash, blockNumber, blockHash } = receipt
  const place = { blockNumber, blockHash, blockTimeMs: block.timeMs }
  return { kind: 'verified', txHash, ...paid, ...place, binding: bindingOf(transaction.input) }
}

/** The receipt's block where head or logs tell all of it: saves a request for a fresh transaction. */
function blockFromAnswers(receipt: Receipt, head: Block, mayUseLogTime: boolean): Block | undefined {
  if (receipt.blockNumber === head.number) return head
  const timeMs = receipt.logs.find((log) => log.timeMs !== undefined)?.timeMs
  if (!mayUseLogTime || timeMs === undefined) return undefined
  return { number: receipt.blockNumber, hash: receipt.blockHash, timeMs }
}

/** Whether a transfer in the block is older than allowed, or from before this service: those are not ours to sell. */
export function isTooOld(
  { timeMs }: Block,
  { settings, clock, firstStartMs }: PaymentContext & Pick<VerifierDeps, 'firstStartMs'>,
): boolean {
  return timeMs < clock.now() - settings.maxAgeMs || timeMs < Math.floor(firstStartMs / 1000) * 1000
}
