import type { Chain, Receipt } from './chain.ts'
import { authorizationUsedTopic, readCarriedTransfer, toTopic } from './erc20.ts'
import { toAtomic } from './money.ts'
import type { Hex, PaymentSettings } from './settings.ts'

/** An authorization as the chain knows it, and the money that it must have moved. */
export interface Promised {
  readonly payer: Hex
  readonly nonce: Hex
  readonly amountMicros: number
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
  isUsed(promised: Promised): Promise<boolean>
  /** The promised money, if the authorization's own call in this transaction moved exactly that to us. */
  settles(receipt: Receipt, promised: Promised): Settled | undefined
  /** The transaction that carried the authorization, whoever sent it. Undefined when it was cancelled. */
  find(promised: Promised): Promise<Settled | undefined>
}

/** How many blocks one look through the logs covers; public endpoints take no more. */
const blocksALook = 9_000
const looksMax = 5

export function createSettlementFinder(chain: Chain, settings: PaymentSettings): SettlementFinder {
  const asset = settings.asset.address.toLowerCase() as Hex
  const payTo = settings.payTo.toLowerCase() as Hex

  function settles(receipt: Receipt, { payer, nonce, amountMicros }: Promised): Settled | undefined {
    if (!receipt.succeeded) return undefined
    const moved = readCarriedTransfer(receipt.logs, asset, { authorizer: payer, nonce })
    const isOurs = moved?.from === payer && moved.to === payTo && payer !== payTo
    if (!isOurs || moved.value !== toAtomic(amountMicros, settings.asset)) return undefined
    const { txHash, blockNumber, blockHash } = receipt
    return { txHash, blockNumber, blockHash, logIndexes: [moved.index] }
  }

  return {
    settles,
    async isUsed({ payer, nonce }) {
      const data: Hex = `0xe94a0102${payer.slice(2).padStart(64, '0')}${nonce.slice(2)}`
      return BigInt(await chain.call({ to: asset, data })) === 1n
    },
    async find(promised) {
      const topics = [authorizationUsedTopic, toTopic(promised.payer), promised.nonce] as const
      let toBlock = (await chain.head()).number
      for (let look = 0; look < looksMax && toBlock >= 0; look += 1) {
        const fromBlock = Math.max(toBlock - blocksALook, 0)
        const [log] = await chain.logs({ address: asset, topics, fromBlock, toBlock })
        const receipt = log === undefined ? null : await chain.receipt(log.txHash)
        if (log !== undefined && receipt !== null) {
          return settles(receipt, promised)
        }
        toBlock = fromBlock - 1
      }
      return undefined
    },
  }
}
