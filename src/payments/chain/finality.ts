import { confirmationsFor, type PaymentSettings } from '../payment-settings.ts'
import type { Chain } from './chain.ts'
import type { Block } from './chain-types.ts'

interface BlockPlace {
  readonly blockNumber: number
  readonly blockHash: string
}

/**
 * Whether a block is final: it has the confirmations that the amount needs, on the chain that a quorum of RPC endpoints
 * reports. Payments are accepted and dropped only by final blocks; everything else is unknown.
 */
export function createFinality(chain: Chain, settings: PaymentSettings) {
  /** The block of that height, if it is deep enough. */
  async function deepBlock(number: number, amountMicros: number): Promise<Block | undefined> {
    const head = await chain.head()
    const isDeep = head.number - number + 1 >= confirmationsFor(settings, amountMicros)
    if (!isDeep || number < 0) return undefined
    return number === head.number ? head : ((await chain.block(number)) ?? undefined)
  }

  return {
    /** Whether this block is part of the chain and deep enough. */
    async isFinal({ blockNumber, blockHash }: BlockPlace, amountMicros: number): Promise<boolean> {
      return (await deepBlock(blockNumber, amountMicros))?.hash === blockHash
    },
    /** Whether another final block has replaced this one. */
    async isReplaced({ blockNumber, blockHash }: BlockPlace, amountMicros: number): Promise<boolean> {
      const block = await deepBlock(blockNumber, amountMicros)
      return block !== undefined && block.hash !== blockHash
    },
    /** The newest final block; undefined where the endpoint does not have it. */
    async newestFinal(amountMicros: number): Promise<Block | undefined> {
      const head = await chain.head()
      return await deepBlock(head.number - confirmationsFor(settings, amountMicros) + 1, amountMicros)
    },
  }
}

export type Finality = ReturnType<typeof createFinality>
