import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/waiter.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import { OutcomeUnknown } from '../payment-reasons.ts'
import {
  confirmationsFor,
  type Hex,
  type PaymentSettings,
  termsInLowerCase,
  toAtomic,
} from '../payment-settings.ts'
import {
  type Block,
  type Call,
  type LogTopics,
  orNull,
  type Receipt,
  readBigInt,
  readBlock,
  readHex,
  readLogTransactions,
  readReceipt,
  readTransaction,
  toQuantity,
} from './answers.ts'
import { createRpc, type Rpc, RpcUnavailable } from './rpc.ts'
import { authorizationStateCall, authorizationTopics, balanceCall, readSettledTransfer } from './transfers.ts'

export type Chain = NonNullable<ReturnType<typeof openChain>>

export function openChain(settings: PaymentSettings, clock: Clock) {
  if (settings.rpc.urls.length === 0) return undefined
  const rpc = createRpc(settings, clock)
  const reader = createChainReader(rpc, settings)
  return { rpc, ...reader, ...createSettlementFinder(reader, settings) }
}

type BlockPlace = Readonly<{ blockNumber: number; blockHash: string }>

type ChainReader = ReturnType<typeof createChainReader>

/** Reads the chain through JSON-RPC. Hashes and addresses are lower case; the shape of every answer is checked. */
function createChainReader(rpc: Rpc, settings: PaymentSettings) {
  const coalesceHead = createCoalescer<Block>()
  const coalesceLater = createCoalescer<Block>()
  const isContract = new LRUCache<Hex, boolean>({
    max: 20_000,
    ttl: cachedMs.contract,
    async fetchMethod(address, _, { options }) {
      const hasCode = (await code(address)) !== '0x'
      if (!hasCode) options.ttl = cachedMs.none
      return hasCode
    },
  })

  /** The newest block. Concurrent calls share one request. */
  function head(): Promise<Block> {
    return coalesceHead('', async () => {
      const heads = await rpc.several('eth_getBlockByNumber', ['latest', false], readBlock)
      const agreed = heads.toSorted((a, b) => b.number - a.number)[rpc.quorum - 1]
      if (agreed === undefined) throw new Error('No block has enough votes.')
      return agreed
    })
  }

  /** The newest block a poll interval later, or at the deadline. All who wait for a block look as one. */
  function headLater(deadlineMs: number): Promise<Block> {
    return coalesceLater('', async () => {
      await sleep(Math.max(Math.min(settings.pollMs, deadlineMs - performance.now()), 1))
      return await head()
    })
  }

  function call(request: Call, block: 'latest' | 'pending' | Hex = 'latest'): Promise<Hex> {
    return rpc.call('eth_call', [request, block], readHex)
  }

  /** `eth_call` of what a token always tells. A refusal means that the endpoint cannot be relied on. */
  async function view(request: Call, block?: 'latest' | Hex): Promise<bigint> {
    try {
      return readBigInt(await call(request, block))
    } catch (error) {
      if (error instanceof RpcUnavailable) throw error
      throw new RpcUnavailable(`the token does not answer: ${error instanceof Error ? error.message : error}`)
    }
  }

  function block(number: number): Promise<Block | null> {
    return rpc.call('eth_getBlockByNumber', [toQuantity(number), false], orNull(readBlock))
  }

  function code(address: Hex): Promise<Hex> {
    return rpc.call('eth_getCode', [address, 'latest'], readHex)
  }

  async function deepBlock(number: number, amountMicros: number): Promise<Block | undefined> {
    const newest = await head()
    const isDeep = newest.number - number + 1 >= confirmationsFor(settings, amountMicros)
    if (!isDeep || number < 0) return undefined
    return number === newest.number ? newest : ((await block(number)) ?? undefined)
  }

  return {
    head,
    /** The first head above `number`, or undefined when there was none by `deadlineMs` of `performance.now()`. */
    async headAbove(number: number, deadlineMs: number): Promise<Block | undefined> {
      for (;;) {
        const later = await headLater(deadlineMs)
        if (later.number > number) return later
        if (performance.now() >= deadlineMs) return undefined
      }
    },
    block,
    transaction: (hash: Hex) => rpc.call('eth_getTransactionByHash', [hash], orNull(readTransaction(hash))),
    receipt: (hash: Hex) => rpc.call('eth_getTransactionReceipt', [hash], orNull(readReceipt(hash))),
    logs(address: Hex, topics: LogTopics, from: number, to: number) {
      const filter = { address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }
      return rpc.call('eth_getLogs', [filter], readLogTransactions)
    },
    call,
    view,
    code,
    hasNoCode: (address: Hex) => isContract.get(address) === false,
    hasCode: (address: Hex): Promise<boolean> => isContract.forceFetch(address),
    balanceOf: (asset: Hex, owner: Hex) => view({ to: asset, data: balanceCall(owner) }),
    /** Payments are accepted and dropped only by final blocks: deep ones that a quorum of endpoints reports. */
    async isFinal({ blockNumber, blockHash }: BlockPlace, amountMicros: number): Promise<boolean> {
      return (await deepBlock(blockNumber, amountMicros))?.hash === blockHash
    },
    async isReplaced({ blockNumber, blockHash }: BlockPlace, amountMicros: number): Promise<boolean> {
      const found = await deepBlock(blockNumber, amountMicros)
      return found !== undefined && found.hash !== blockHash
    },
    /** The newest final block; undefined where the endpoint does not have it. */
    async newestFinal(amountMicros: number): Promise<Block | undefined> {
      const { number } = await head()
      return await deepBlock(number - confirmationsFor(settings, amountMicros) + 1, amountMicros)
    },
  }
}

/** Cached shorter where there is no contract: one may be deployed soon. */
const cachedMs = { contract: 60_000, none: 10_000 }

/** A stored payment is one too: its asset and wallet may be other than today's. */
export type AuthorizationReference = Pick<PaymentRow, 'payer' | 'nonce' | 'amountMicros'> &
  Partial<Pick<PaymentRow, 'asset' | 'payTo'>>

export interface SettledTransfer {
  readonly txHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  /** The transfer's log in its transaction; empty where only a facilitator reported the transfer. */
  readonly logIndexes: readonly number[]
}

/** Blocks in one log query; public endpoints allow no more. */
const blocksPerQuery = 9_000
const queriesMax = 5

function createSettlementFinder(chain: ChainReader, settings: PaymentSettings) {
  const current = termsInLowerCase(settings)

  function read({ payer, nonce, asset = current.asset, payTo = current.payTo }: AuthorizationReference) {
    return { payer, nonce: nonce ?? '0x', asset, payTo } as Record<'payer' | 'nonce' | 'asset' | 'payTo', Hex>
  }

  /** The transfer to us in this transaction that belongs to the authorization, if it has the exact amount. */
  function findSettlementIn(receipt: Receipt, reference: AuthorizationReference) {
    const { payer, nonce, asset, payTo } = read(reference)
    if (!receipt.succeeded) return undefined
    const moved = readSettledTransfer(receipt.logs, asset, { payer, nonce })
    const isOurs = moved?.from === payer && moved.to === payTo && payer !== payTo
    if (!isOurs || moved.value !== toAtomic(reference.amountMicros, settings.asset)) return undefined
    const { txHash, blockNumber, blockHash } = receipt
    return { txHash, blockNumber, blockHash, logIndexes: [moved.index] }
  }

  /** True if the token no longer takes the authorization: it was used or cancelled. */
  async function isUsed(reference: AuthorizationReference, block: 'latest' | Hex = 'latest') {
    const { payer, nonce, asset } = read(reference)
    return (await chain.view({ to: asset, data: authorizationStateCall(payer, nonce) }, block)) === 1n
  }

  /** Undefined if there certainly is none: it is unused, cancelled or moved something else. Throws `OutcomeUnknown` until then. */
  async function findSettlement(reference: AuthorizationReference): Promise<SettledTransfer | undefined> {
    const { asset, ...authorization } = read(reference)
    const txHash = await findTransaction(chain, asset, authorizationTopics(authorization))
    const receipt = txHash === undefined ? null : await chain.receipt(txHash)
    if (receipt === null) {
      // A node may answer the token's state before it has the logs.
      if (txHash === undefined && !(await isUsed(reference))) return undefined
      throw pending('The chain does not show yet what used the authorization.')
    }
    if (!(await chain.isFinal(receipt, reference.amountMicros)))
      throw pending('What used the authorization needs more confirmations.')
    return findSettlementIn(receipt, reference)
  }

  async function isExpired(reference: AuthorizationReference, validUntilMs: number): Promise<boolean> {
    const block = await chain.newestFinal(reference.amountMicros)
    if (block === undefined || block.timeMs < validUntilMs) return false
    return !(await isUsed(reference, toQuantity(block.number)))
  }

  /** Like `findSettlement`; undefined also if the authorization is unused, without a look at logs. */
  async function findUsed(reference: AuthorizationReference): Promise<SettledTransfer | undefined> {
    return (await isUsed(reference)) ? await findSettlement(reference) : undefined
  }

  return { findSettlementIn, isUsed, findSettlement, findUsed, isExpired }
}

/** The newest transaction with such a log: the one that used or cancelled the authorization. */
async function findTransaction(chain: ChainReader, address: Hex, topics: LogTopics) {
  let toBlock = (await chain.head()).number
  for (let query = 0; query < queriesMax && toBlock >= 0; query += 1) {
    const fromBlock = Math.max(toBlock - blocksPerQuery, 0)
    const [txHash] = await chain.logs(address, topics, fromBlock, toBlock)
    if (txHash !== undefined) return txHash
    toBlock = fromBlock - 1
  }
  return undefined
}

function pending(message: string): OutcomeUnknown {
  return new OutcomeUnknown('settlement_pending', message, 5)
}
