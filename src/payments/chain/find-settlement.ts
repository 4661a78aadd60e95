import { toAtomic } from '../ledger/money.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex, PaymentSettings } from '../settings.ts'
import { type Chain, type Receipt, toQuantity } from './chain.ts'
import { authorizationCanceledTopic, authorizationUsedTopic, readCarriedTransfer, toTopic } from './erc20.ts'
import type { Evidence } from './evidence.ts'

/** An authorization as the chain knows it, and the money that it must have moved. */
export interface AuthorizationReference {
  readonly payer: Hex
  readonly nonce: Hex
  readonly amountMicros: number
  /** Where it was promised under other settings than today's. */
  readonly asset?: Hex
  readonly payTo?: Hex
}

/** The block in which an authorization's money reached us. */
export interface Settled {
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  /** The transfer's log in its transaction; none where only a facilitator's word stands for it. */
  readonly logIndexes: readonly number[]
}

export interface SettlementFinder {
  /** Whether the token will not take the authorization any more: it was carried out or cancelled. */
  isUsed(promised: AuthorizationReference): Promise<boolean>
  /** The promised money, if the authorization's own call in this transaction moved exactly that to us. */
  settles(receipt: Receipt, promised: AuthorizationReference): Settled | undefined
  /**
   * The money that the authorization moved, whoever carried it. Undefined when it certainly moved none to us: it was
   * cancelled, moved something else, or is not used. Throws `OutcomeUnknown` until that is deep enough in the chain.
   */
  find(promised: AuthorizationReference): Promise<Settled | undefined>
  /** Whether the token can never take it any more, by the chain's own clock, although nobody carried it out. */
  isExpired(promised: AuthorizationReference, validUntilMs: number): Promise<boolean>
}

/** How many blocks one look through the logs covers; public endpoints take no more. */
const blocksALook = 9_000
const looksMax = 5

export function createSettlementFinder(
  chain: Chain,
  evidence: Evidence,
  settings: PaymentSettings,
): SettlementFinder {
  const assetToday = settings.asset.address.toLowerCase() as Hex
  const payToToday = settings.payTo.toLowerCase() as Hex

  function settles(receipt: Receipt, promised: AuthorizationReference): Settled | undefined {
    const { payer, nonce, amountMicros, asset = assetToday, payTo = payToToday } = promised
    if (!receipt.succeeded) return undefined
    const moved = readCarriedTransfer(receipt.logs, asset, { authorizer: payer, nonce })
    const isOurs = moved?.from === payer && moved.to === payTo && payer !== payTo
    if (!isOurs || moved.value !== toAtomic(amountMicros, settings.asset)) return undefined
    const { txHash, blockNumber, blockHash } = receipt
    return { txHash, blockNumber, blockHash, logIndexes: [moved.index] }
  }

  async function isUsed(
    { payer, nonce, asset = assetToday }: AuthorizationReference,
    block: 'latest' | Hex = 'latest',
  ): Promise<boolean> {
    const data: Hex = `0xe94a0102${payer.slice(2).padStart(64, '0')}${nonce.slice(2)}`
    return BigInt(await chain.call({ to: asset, data }, block)) === 1n
  }

  /** The transaction in whose log the nonce stands: carried out or cancelled. */
  async function findTransaction({
    payer,
    nonce,
    asset = assetToday,
  }: AuthorizationReference): Promise<Hex | undefined> {
    const topics = [[authorizationUsedTopic, authorizationCanceledTopic], toTopic(payer), nonce] as const
    let toBlock = (await chain.head()).number
    for (let look = 0; look < looksMax && toBlock >= 0; look += 1) {
      const fromBlock = Math.max(toBlock - blocksALook, 0)
      const [log] = await chain.logs({ address: asset, topics, fromBlock, toBlock })
      if (log !== undefined) return log.txHash
      toBlock = fromBlock - 1
    }
    return undefined
  }

  async function find(promised: AuthorizationReference): Promise<Settled | undefined> {
    const txHash = await findTransaction(promised)
    const receipt = txHash === undefined ? null : await chain.receipt(txHash)
    if (receipt === null) {
      // Endpoints may have the token's word before they have its logs.
      if (txHash === undefined && !(await isUsed(promised))) return undefined
      throw new OutcomeUnknown(
        'settlement_pending',
        'The chain does not show yet what used the authorization.',
        5,
      )
    }
    if (!(await evidence.isFinal(receipt, promised.amountMicros))) {
      throw new OutcomeUnknown(
        'settlement_pending',
        'What used the authorization needs more confirmations.',
        5,
      )
    }
    return settles(receipt, promised)
  }

  return {
    settles,
    isUsed,
    find,
    async isExpired(promised, validUntilMs) {
      const block = await evidence.newestFinal(promised.amountMicros)
      if (block === undefined || block.timeMs < validUntilMs) return false
      return !(await isUsed(promised, toQuantity(block.number)))
    },
  }
}
