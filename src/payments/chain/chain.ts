import { createCoalescer } from '../../lib/coalescer.ts'
import type { Hex } from '../payment-settings.ts'
import type { Block, Call, LogFilter } from './chain-types.ts'
import { balanceCall } from './erc20.ts'
import { readBigInt, readHex, toQuantity } from './hex-values.ts'
import { orNull, readBlock, readLogTransactions, readReceipt, readTransaction } from './read-chain.ts'
import type { Rpc } from './rpc.ts'

/** The chain through JSON-RPC. Hashes and addresses are lower case; the shape of every answer is checked. */
export function createChain(rpc: Rpc) {
  const coalesceHead = createCoalescer<Block>()

  async function readHead(): Promise<Block> {
    const heads = await rpc.several('eth_getBlockByNumber', ['latest', false], readBlock)
    const agreed = heads.toSorted((a, b) => b.number - a.number)[rpc.quorum - 1]
    if (agreed === undefined) throw new Error('No block has enough votes.')
    return agreed
  }

  /** `eth_call`. Throws `RpcRejected` if it reverts. */
  function call(request: Call, block: 'latest' | 'pending' | Hex = 'latest'): Promise<Hex> {
    return rpc.call('eth_call', [request, block], readHex)
  }

  return {
    /** The newest block. Concurrent calls share one request. */
    head: () => coalesceHead('', readHead),
    block: (number: number) =>
      rpc.call('eth_getBlockByNumber', [toQuantity(number), false], orNull(readBlock)),
    transaction: (hash: Hex) => rpc.call('eth_getTransactionByHash', [hash], orNull(readTransaction(hash))),
    receipt: (hash: Hex) => rpc.call('eth_getTransactionReceipt', [hash], orNull(readReceipt(hash))),
    logs({ fromBlock, toBlock, ...filter }: LogFilter) {
      const range = { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) }
      return rpc.call('eth_getLogs', [{ ...filter, ...range }], readLogTransactions)
    },
    call,
    code: (address: Hex) => rpc.call('eth_getCode', [address, 'latest'], readHex),
    balanceOf: async (asset: Hex, owner: Hex) =>
      readBigInt(await call({ to: asset, data: balanceCall(owner) })),
  }
}

export type Chain = ReturnType<typeof createChain>
