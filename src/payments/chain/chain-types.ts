import type { Hex } from '../payment-settings.ts'

export interface Block {
  readonly number: number
  readonly hash: Hex
  readonly timeMs: number
}

export interface Transaction {
  /** The account that signed the transaction, and with it the calldata. */
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
  /** All logs, in the order in which they were emitted. */
  readonly logs: readonly ChainLog[]
  readonly cost: ReceiptCost
}

/** The sender's costs of the transaction. */
export interface ReceiptCost {
  readonly gasUsed: bigint
  readonly gasPriceWei: bigint
  /** Includes the data fee of a rollup. */
  readonly feeWei: bigint
}

export interface ChainLog {
  /** Counted from the transaction's first log: the index in the block changes if another block includes it. */
  readonly index: number
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** The block's time, from nodes that include it. Left out where answers are compared for the quorum. */
  readonly timeMs: number | undefined
}

export interface LogFilter {
  readonly address: Hex
  readonly topics: LogTopics
  readonly fromBlock: number
  readonly toBlock: number
}

/** In each position one topic, or any of several. */
export type LogTopics = readonly (Hex | readonly Hex[])[]

export interface Call {
  readonly to: Hex
  readonly data: Hex
  readonly from?: Hex
  /** Gas limit as a hexadecimal quantity; by default the node's. */
  readonly gas?: Hex
}
