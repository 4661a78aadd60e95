import { confirmationsFor, type PaymentSettings } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import type { Block } from './chain-types.ts'

/**
 * Whether a block is final: it has the confirmations that the amount needs, on the chain that a quorum of RPC endpoints
 * reports. Payments are accepted and dropped only by final blocks; everything else is unknown.
 */
export interface Finality {
  /** Whether this block is part of the chain and deep enough. */
  isFinal(place: BlockPlace, amountMicros: number): Promise<boolean>
  /** Whether another final block has replaced this one. */
  isReplaced(place: BlockPlace, amountMicros: number): Promise<boolean>
  /** The newest final block; undefined where the endpoint does not have it. */
  newestFinal(amountMicros: number): Promise<Block | undefined>
}

export interface BlockPlace {
  readonly blockNumber: number
  readonly blockHash: string
}

export function createFinality(chain: Pick<Chain, 'head' | 'block'>, settings: PaymentSettings): Finality {
  /** The block of that height, if it is deep enough. */
  async function deepBlock(number: number, amountMicros: number): Promise<Block | undefined> {
    const head = await chain.head()
    const isDeep = head.number - number + 1 >= confirmationsFor(settings, amountMicros)
    if (!isDeep || number < 0) return undefined
    return number === head.number ? head : ((await chain.block(number)) ?? undefined)
  }

  return {
    async isFinal({ blockNumber, blockHash }, amountMicros) {
      return (await deepBlock(blockNumber, amountMicros))?.hash === blockHash
    },
    async isReplaced({ blockNumber, blockHash }, amountMicros) {
      const block = await deepBlock(blockNumber, amountMicros)
      return block !== undefined && block.hash !== blockHash
    },
    async newestFinal(amountMicros) {
      const head = await chain.head()
      return await deepBlock(head.number - confirmationsFor(settings, amountMicros) + 1, amountMicros)
    },
  }
}
