import type { PaymentContext } from '../payment-context.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { confirmationsFor, type Hex } from '../payment-settings.ts'
import { bindingOf } from '../wire/request-binding.ts'
import type { Block, Receipt, Transaction } from './chain-types.ts'
import type { ChainAccess } from './open-chain.ts'
import { type PayerTransfers, readPayments } from './read-payments.ts'
import type { MinedTransaction } from './transaction-lookup.ts'

/** One payer's confirmed transfers to us. */
export interface VerifiedTransfer extends Omit<PayerTransfers, 'value'> {
  readonly kind: 'verified'
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly blockTimeMs: number
  /** The request that the payer's calldata is bound to. */
  readonly binding: string | undefined
  readonly scope: 'payer' | 'one-of-several'
}

/** The payments that a mined transaction contains. */
export interface PaidTransaction {
  /** Payer by payer. */
  readonly transfers: readonly PayerTransfers[]
  /** Transfers of payers who sent at least the lowest price. */
  readonly sufficient: readonly PayerTransfers[]
  readonly transaction: Transaction
}

/** Decides whose transfers pay. */
export type PayerChoice = (
  paid: PaidTransaction,
) => PayerTransfers | PaymentRefusal | Promise<PayerTransfers | PaymentRefusal>

export interface VerifierDeps extends PaymentContext, ChainAccess {
  readonly firstStartMs: number
  /** The price of the cheapest call. */
  readonly lowestPriceMicros: number
}

/** Judges a mined transaction as a payment of the chosen payer; `unconfirmed` while its block may still change. */
export async function judgeTransfer(
  deps: VerifierDeps,
  { transaction, receipt, head }: MinedTransaction,
  priceMicros: number,
  choose: PayerChoice,
): Promise<VerifiedTransfer | PaymentRefusal | 'unconfirmed'> {
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
  return { kind: 'verified', txHash, payer, amountMicros, logIndexes, ...place, binding, scope }
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
