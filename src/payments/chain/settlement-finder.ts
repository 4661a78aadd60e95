import type { PaymentRow } from '../../store/payment-row.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type Hex, type PaymentSettings, termsInLowerCase } from '../payment-settings.ts'
import { toAtomic } from '../token-amount.ts'
import type { Chain } from './chain.ts'
import type { LogTopics, Receipt } from './chain-types.ts'
import { authorizationStateCall, authorizationTopics, readSettledTransfer } from './erc20.ts'
import type { Finality } from './finality.ts'
import { toQuantity } from './hex-values.ts'

/**
 * An authorization as the token identifies it, and the money that it must have moved. A stored payment is one: its asset
 * and wallet may be other than today's.
 */
export type AuthorizationReference = Pick<PaymentRow, 'payer' | 'nonce' | 'amountMicros'> &
  Partial<Pick<PaymentRow, 'asset' | 'payTo'>>

/** The transfer that settled an authorization, and its block. */
export interface SettledTransfer {
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  /** The transfer's log in its transaction; empty where only a facilitator reported the transfer. */
  readonly logIndexes: readonly number[]
}

export type SettlementFinder = ReturnType<typeof createSettlementFinder>

/** Blocks in one log query; public endpoints allow no more. */
const blocksPerQuery = 9_000
const queriesMax = 5

export function createSettlementFinder(chain: Chain, finality: Finality, settings: PaymentSettings) {
  const current = termsInLowerCase(settings)

  function read({ payer, nonce, asset = current.asset, payTo = current.payTo }: AuthorizationReference) {
    return { payer, nonce: nonce ?? '0x', asset, payTo } as Readonly<
      Record<'payer' | 'nonce' | 'asset' | 'payTo', Hex>
    >
  }

  /** The transfer to us in this transaction that belongs to the authorization, if it has the exact amount. */
  function findIn(receipt: Receipt, reference: AuthorizationReference): SettledTransfer | undefined {
    const { payer, nonce, asset, payTo } = read(reference)
    if (!receipt.succeeded) return undefined
    const moved = readSettledTransfer(receipt.logs, asset, { payer, nonce })
    const isOurs = moved?.from === payer && moved.to === payTo && payer !== payTo
    if (!isOurs || moved.value !== toAtomic(reference.amountMicros, settings.asset)) return undefined
    const { txHash, blockNumber, blockHash } = receipt
    return { txHash, blockNumber, blockHash, logIndexes: [moved.index] }
  }

  /** Whether the token no longer takes the authorization: it was used or cancelled. */
  async function isUsed(
    reference: AuthorizationReference,
    block: 'latest' | Hex = 'latest',
  ): Promise<boolean> {
    const { payer, nonce, asset } = read(reference)
    return BigInt(await chain.call({ to: asset, data: authorizationStateCall(payer, nonce) }, block)) === 1n
  }

  /**
   * The transfer to us, no matter who sent the transaction. Undefined if there certainly is none: the authorization is
   * unused, was cancelled, or moved something else. Throws `OutcomeUnknown` until that is confirmed.
   */
  async function find(reference: AuthorizationReference): Promise<SettledTransfer | undefined> {
    const { asset, ...authorization } = read(reference)
    const txHash = await findTransaction(chain, asset, authorizationTopics(authorization))
    const receipt = txHash === undefined ? null : await chain.receipt(txHash)
    if (receipt === null) {
      // A node may answer the token's state before it has the logs.
      if (txHash === undefined && !(await isUsed(reference))) return undefined
      throw pending('The chain does not show yet what used the authorization.')
    }
    if (!(await finality.isFinal(receipt, reference.amountMicros)))
      throw pending('What used the authorization needs more confirmations.')
    return findIn(receipt, reference)
  }

  /** Whether the authorization expired unused, by the chain's own clock. */
  async function isExpired(reference: AuthorizationReference, validUntilMs: number): Promise<boolean> {
    const block = await finality.newestFinal(reference.amountMicros)
    if (block === undefined || block.timeMs < validUntilMs) return false
    return !(await isUsed(reference, toQuantity(block.number)))
  }

  return { findIn, isUsed, find, isExpired }
}

/** The transfer that used the authorization; undefined if it is unused, or without a finder. Throws as `find` does. */
export async function findUsed(
  finder: SettlementFinder | undefined,
  reference: AuthorizationReference,
): Promise<SettledTransfer | undefined> {
  if (finder === undefined || !(await finder.isUsed(reference))) return undefined
  return await finder.find(reference)
}

/** The newest transaction with such a log: the one that used or cancelled the authorization. */
async function findTransaction(chain: Chain, address: Hex, topics: LogTopics): Promise<Hex | undefined> {
  let toBlock = (await chain.head()).number
  for (let query = 0; query < queriesMax && toBlock >= 0; query += 1) {
    const fromBlock = Math.max(toBlock - blocksPerQuery, 0)
    const [txHash] = await chain.logs({ address, topics, fromBlock, toBlock })
    if (txHash !== undefined) return txHash
    toBlock = fromBlock - 1
  }
  return undefined
}

function pending(message: string): OutcomeUnknown {
  return new OutcomeUnknown('settlement_pending', message, 5)
}
