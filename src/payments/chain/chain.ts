import type { Hex } from '../payment-settings.ts'
import type { Block, Call, FoundLog, LogFilter, Receipt, Transaction } from './chain-types.ts'
import { balanceCall } from './erc20.ts'
import { orNull, readBlock, readFoundLogs, readReceipt, readTransaction } from './read-chain.ts'
import type { Rpc } from './rpc.ts'
import { readBigInt, readHex, toQuantity } from './rpc-values.ts'

/** The chain through JSON-RPC. Hashes and addresses are lower case; the shape of every answer is checked. */
export interface Chain {
  /** The newest block. Concurrent calls share one request. */
  head(): Promise<Block>
  block(number: number): Promise<Block | null>
  transaction(hash: Hex): Promise<Transaction | null>
  receipt(hash: Hex): Promise<Receipt | null>
  logs(filter: LogFilter): Promise<readonly FoundLog[]>
  /** `eth_call`. Throws `RpcRejected` if it reverts. */
  call(call: Call, block?: 'latest' | 'pending' | Hex): Promise<Hex>
  code(address: Hex): Promise<Hex>
  balanceOf(asset: Hex, owner: Hex): Promise<bigint>
}

export function createChain(rpc: Rpc): Chain {
  let runningHead: Promise<Block> | undefined

  async function readHead(): Promise<Block> {
    const heads = await rpc.several('eth_getBlockByNumber', ['latest', false], readBlock)
    const agreed = heads.toSorted((a, b) => b.number - a.number)[rpc.quorum - 1]
    if (agreed === undefined) throw new Error('No block has enough votes.')
    return agreed
  }

  const call: Chain['call'] = (request, block = 'latest') => rpc.call('eth_call', [request, block], readHex)

  return {
    head() {
      runningHead ??= readHead().finally(() => {
        runningHead = undefined
      })
      return runningHead
    },
    block: (number) => rpc.call('eth_getBlockByNumber', [toQuantity(number), false], orNull(readBlock)),
    transaction: (hash) => rpc.call('eth_getTransactionByHash', [hash], orNull(readTransaction(hash))),
    receipt: (hash) => rpc.call('eth_getTransactionReceipt', [hash], orNull(readReceipt(hash))),
    logs: ({ fromBlock, toBlock, ...filter }) =>
      rpc.call(
        'eth_getLogs',
        [{ ...filter, fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) }],
        readFoundLogs,
      ),
    call,
    code: (address) => rpc.call('eth_getCode', [address, 'latest'], readHex),
    balanceOf: async (asset, owner) => readBigInt(await call({ to: asset, data: balanceCall(owner) })),
  }
}
