import type { Hex } from '../payment-settings.ts'
import type { Rpc } from './rpc.ts'
import { readBigInt, readBytes, readHex, readQuantity } from './rpc-values.ts'

/** What payments ask of the chain. Hashes and addresses are lower case; every answer was checked for its shape. */
export interface Chain {
  /** The newest block, shared by everybody who asks at the same time. */
  head(): Promise<Block>
  block(number: number): Promise<Block | null>
  transaction(hash: Hex): Promise<Transaction | null>
  receipt(hash: Hex): Promise<Receipt | null>
  logs(filter: LogFilter): Promise<readonly FoundLog[]>
  /** What a contract answers; throws `RpcRejected` when it reverts. */
  call(call: Call, block?: 'latest' | 'pending' | Hex): Promise<Hex>
  code(address: Hex): Promise<Hex>
  balanceOf(asset: Hex, owner: Hex): Promise<bigint>
}

export interface Block {
  readonly number: number
  readonly hash: Hex
  readonly timeMs: number
}

export interface Transaction {
  readonly from: Hex
  readonly input: Hex
  /** Null until it is mined. */
  readonly blockHash: Hex | null
}

export interface Receipt {
  readonly txHash: Hex
  readonly succeeded: boolean
  readonly blockNumber: number
  readonly blockHash: Hex
  /** All of them, in the order in which they were made. */
  readonly logs: readonly Log[]
  readonly cost: ReceiptCost
}

/** What the sender paid for the transaction. */
export interface ReceiptCost {
  readonly gasUsed: bigint
  readonly gasPriceWei: bigint
  /** With the fee that a rollup takes for its data. */
  readonly feeWei: bigint
}

export interface Log {
  /** Counted from the transaction's first log. The block's own count changes when it is mined again elsewhere. */
  readonly index: number
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** The block's time, from nodes that say it: left out when answers are compared, so no evidence. */
  readonly timeMs: number | undefined
}

export interface FoundLog {
  readonly txHash: Hex
  readonly blockNumber: number
}

export interface LogFilter {
  readonly address: Hex
  /** At each place one topic, or any of several. */
  readonly topics: readonly (Hex | readonly Hex[])[]
  readonly fromBlock: number
  readonly toBlock: number
}

export interface Call {
  readonly to: Hex
  readonly data: Hex
  readonly from?: Hex
  /** How much gas the call may use, as a hexadecimal quantity; without it what the node allows. */
  readonly gas?: Hex
}

export function createChain(rpc: Rpc): Chain {
  let headUnderWay: Promise<Block> | undefined

  async function askHead(): Promise<Block> {
    const heads = await rpc.several('eth_getBlockByNumber', ['latest', false], readBlock)
    const agreed = heads.toSorted((a, b) => b.number - a.number)[rpc.quorum - 1]
    if (agreed === undefined) throw new Error('No block has enough votes.')
    return agreed
  }

  const call: Chain['call'] = (request, block = 'latest') => rpc.call('eth_call', [request, block], readHex)

  return {
    head() {
      headUnderWay ??= askHead().finally(() => {
        headUnderWay = undefined
      })
      return headUnderWay
    },
    block: (number) => rpc.call('eth_getBlockByNumber', [toQuantity(number), false], orNull(readBlock)),
    transaction: (hash) => rpc.call('eth_getTransactionByHash', [hash], orNull(readTransaction(hash))),
    receipt: (hash) => rpc.call('eth_getTransactionReceipt', [hash], orNull(readReceipt(hash))),
    logs: ({ fromBlock, toBlock, ...filter }) =>
      rpc.call(
        'eth_getLogs',
        [{ ...filter, fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) }],
        (answer) => readList(answer).filter(isStanding).map(readFoundLog),
      ),
    call,
    code: (address) => rpc.call('eth_getCode', [address, 'latest'], readHex),
    balanceOf: async (asset, owner) =>
      readBigInt(
        await call({ to: asset, data: `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}` }),
      ),
  }
}

export function toQuantity(number: number | bigint): Hex {
  return `0x${number.toString(16)}`
}

function orNull<T>(read: (answer: unknown) => T): (answer: unknown) => T | null {
  return (answer) => (answer === null ? null : read(answer))
}

function readBlock(answer: unknown): Block {
  const { number, hash, timestamp } = readObject(answer)
  return { number: readQuantity(number), hash: readBytes(hash, 32), timeMs: readQuantity(timestamp) * 1000 }
}

function readTransaction(asked: Hex): (answer: unknown) => Transaction {
  return (answer) => {
    const { hash, from, input, blockHash } = readObject(answer)
    if (readBytes(hash, 32) !== asked) throw new Error('answers another transaction')
    const mined = blockHash !== null && blockHash !== undefined
    return {
      from: readBytes(from, 20),
      input: readHex(input),
      blockHash: mined ? readBytes(blockHash, 32) : null,
    }
  }
}

function readReceipt(asked: Hex): (answer: unknown) => Receipt {
  return (answer) => {
    const transactionFacts = readObject(answer)
    const { transactionHash, status, blockNumber, blockHash, logs } = transactionFacts
    if (readBytes(transactionHash, 32) !== asked) throw new Error('answers another receipt')
    const inBlock = readBytes(blockHash, 32)
    return {
      txHash: asked,
      succeeded: readQuantity(status) === 1,
      blockNumber: readQuantity(blockNumber),
      blockHash: inBlock,
      logs: readLogs(readList(logs), asked, inBlock),
      cost: readCost(transactionFacts),
    }
  }
}

/** Zero where a node does not say: this is bookkeeping, and must not keep a payment from being seen. */
function readCost({ gasUsed, effectiveGasPrice, l1Fee }: Record<string, unknown>): ReceiptCost {
  const used = readBigIntOrZero(gasUsed)
  const gasPriceWei = readBigIntOrZero(effectiveGasPrice)
  const cost = { gasUsed: used, gasPriceWei, feeWei: used * gasPriceWei + readBigIntOrZero(l1Fee) }
  // Left out when answers are compared: nodes that agree about the money may tell the fee differently.
  Object.defineProperty(cost, 'toJSON', { value: () => undefined, enumerable: false })
  return cost
}

function readBigIntOrZero(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n
}

/**
 * The logs of one transaction. They are money: one that belongs elsewhere, stands twice or is missing makes the whole
 * answer worthless.
 */
function readLogs(answers: readonly unknown[], txHash: Hex, blockHash: Hex): readonly Log[] {
  const first = answers.length === 0 ? 0 : readQuantity(readObject(answers[0])['logIndex'])
  return answers.map((answer, index) => {
    const log = readObject(answer)
    if (log['removed'] === true) throw new Error('answers a log that was removed')
    if (readBytes(log['transactionHash'], 32) !== txHash) throw new Error('answers another transaction’s log')
    if (readBytes(log['blockHash'], 32) !== blockHash) throw new Error('answers another block’s log')
    if (readQuantity(log['logIndex']) !== first + index) throw new Error('answers logs out of order')
    return readLog(log, index)
  })
}

function readLog({ address, topics, data, blockTimestamp }: Record<string, unknown>, index: number): Log {
  const log = {
    index,
    address: readBytes(address, 20),
    topics: readList(topics).map((topic) => readBytes(topic, 32)),
    data: readHex(data),
    timeMs:
      blockTimestamp === undefined || blockTimestamp === null
        ? undefined
        : readQuantity(blockTimestamp) * 1000,
  }
  const { timeMs: _, ...compared } = log
  return Object.defineProperty(log, 'toJSON', { value: () => compared, enumerable: false })
}

/** Nodes may tell of logs whose block was dropped meanwhile. */
function isStanding(answer: unknown): boolean {
  return readObject(answer)['removed'] !== true
}

function readFoundLog(answer: unknown): FoundLog {
  const { transactionHash, blockNumber } = readObject(answer)
  return { txHash: readBytes(transactionHash, 32), blockNumber: readQuantity(blockNumber) }
}

function readObject(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) throw new Error('answers no object')
  return answer as Record<string, unknown>
}

function readList(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw new Error('answers no list')
  return answer
}
