import { confirmationsFor, type PaymentSettings } from '../payment-settings.ts'
import type { Block, Chain } from './chain.ts'

/**
 * What a verdict about money needs, for it and against it alike: as many blocks as the amount asks for, on the chain
 * as the endpoints that have to agree see it. Everything less is unknown, which is nobody's loss.
 */
export interface Finality {
  /** Whether what this block holds will stay: it is part of the chain and deep enough. */
  isFinal(place: BlockPlace, amountMicros: number): Promise<boolean>
  /** Whether another block certainly stands in this one's place. */
  isReplaced(place: BlockPlace, amountMicros: number): Promise<boolean>
  /** The newest block that is deep enough; undefined where the endpoint does not have it. */
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
