import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { toAtomic } from '../token-amount.ts'
import { type Chain, type Receipt, toQuantity } from './chain.ts'
import { authorizationCanceledTopic, authorizationUsedTopic, readCarriedTransfer, toTopic } from './erc20.ts'
import type { Finality } from './finality.ts'

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
export interface SettledTransfer {
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  /** The transfer's log in its transaction; none where only a facilitator's word stands for it. */
  readonly logIndexes: readonly number[]
}

export interface SettlementFinder {
  /** Whether the token will not take the authorization any more: it was carried out or cancelled. */
  isUsed(reference: AuthorizationReference): Promise<boolean>
  /** The promised money, if the authorization's own call in this transaction moved exactly that to us. */
  findIn(receipt: Receipt, reference: AuthorizationReference): SettledTransfer | undefined
  /**
   * The money that the authorization moved, whoever carried it. Undefined when it certainly moved none to us: it was
   * cancelled, moved something else, or is not used. Throws `OutcomeUnknown` until that is deep enough in the chain.
   */
  find(reference: AuthorizationReference): Promise<SettledTransfer | undefined>
  /** Whether the token can never take it any more, by the chain's own clock, although nobody carried it out. */
  isExpired(reference: AuthorizationReference, validUntilMs: number): Promise<boolean>
}

/** How many blocks one look through the logs covers; public endpoints take no more. */
const blocksALook = 9_000
const looksMax = 5

export function createSettlementFinder(
  chain: Chain,
  finality: Finality,
  settings: PaymentSettings,
): SettlementFinder {
  const assetToday = settings.asset.address.toLowerCase() as Hex
  const payToToday = settings.payTo.toLowerCase() as Hex

  function settles(receipt: Receipt, reference: AuthorizationReference): SettledTransfer | undefined {
    const { payer, nonce, amountMicros, asset = assetToday, payTo = payToToday } = reference
    if (!receipt.succeeded) return undefined
    const settlement = readCarriedTransfer(receipt.logs, asset, { authorizer: payer, nonce })
    const isOurs = settlement?.from === payer && settlement.to === payTo && payer !== payTo
    if (!isOurs || settlement.value !== toAtomic(amountMicros, settings.asset)) return undefined
    const { txHash, blockNumber, blockHash } = receipt
    return { txHash, blockNumber, blockHash, logIndexes: [settlement.index] }
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

  async function find(reference: AuthorizationReference): Promise<SettledTransfer | undefined> {
    const txHash = await findTransaction(reference)
    const receipt = txHash === undefined ? null : await chain.receipt(txHash)
    if (receipt === null) {
      // Endpoints may have the token's word before they have its logs.
      if (txHash === undefined && !(await isUsed(reference))) return undefined
      throw new OutcomeUnknown(
        'settlement_pending',
        'The chain does not show yet what used the authorization.',
        5,
      )
    }
    if (!(await finality.isFinal(receipt, reference.amountMicros))) {
      throw new OutcomeUnknown(
        'settlement_pending',
        'What used the authorization needs more confirmations.',
        5,
      )
    }
    return settles(receipt, reference)
  }

  return {
    findIn: settles,
    isUsed,
    find,
    async isExpired(reference, validUntilMs) {
      const block = await finality.newestFinal(reference.amountMicros)
      if (block === undefined || block.timeMs < validUntilMs) return false
      return !(await isUsed(reference, toQuantity(block.number)))
    },
  }
}
