import type { Hex } from '../payment-settings.ts'

export type Block = Readonly<ReturnType<typeof readBlock>>

/** `blockHash` is null until it is mined. `from` is the account that signed the transaction, and with it the calldata. */
export type Transaction = Readonly<ReturnType<ReturnType<typeof readTransaction>>>

export type Receipt = Readonly<ReturnType<ReturnType<typeof readReceipt>>>

export type ChainLog = Readonly<ReturnType<typeof readLogs>[number]>

export type LogTopics = readonly (Hex | readonly Hex[])[]

export interface Call {
  readonly to: Hex
  readonly data: Hex
  readonly from?: Hex
  readonly gas?: Hex
}

export function orNull<T>(read: (answer: unknown) => T): (answer: unknown) => T | null {
  return (answer) => (answer === null ? null : read(answer))
}

export function readBlock(answer: unknown) {
  const { number, hash, timestamp } = readObject(answer)
  return { number: readQuantity(number), hash: readBytes(hash, 32), timeMs: readQuantity(timestamp) * 1000 }
}

export function readTransaction(asked: Hex) {
  return (answer: unknown) => {
    const { hash, from, input, blockHash } = readObject(answer)
    if (readBytes(hash, 32) !== asked) throw new Error('answers another transaction')
    const sent = { from: readBytes(from, 20), input: readHex(input) }
    return { ...sent, blockHash: blockHash == null ? null : readBytes(blockHash, 32) }
  }
}

export function readReceipt(asked: Hex) {
  return (answer: unknown) => {
    const receipt = readObject(answer)
    const { transactionHash, status, blockNumber, blockHash, logs } = receipt
    if (readBytes(transactionHash, 32) !== asked) throw new Error('answers another receipt')
    const inBlock = readBytes(blockHash, 32)
    return {
      txHash: asked,
      succeeded: readQuantity(status) === 1,
      blockNumber: readQuantity(blockNumber),
      blockHash: inBlock,
      logs: readLogs(readList(logs), asked, inBlock),
      cost: readCost(receipt),
    }
  }
}

/** The sender's costs, with the data fee of a rollup. Zero where a node leaves it out, because costs are bookkeeping. */
function readCost({ gasUsed, effectiveGasPrice, l1Fee }: Record<string, unknown>) {
  const numbers = [gasUsed, effectiveGasPrice, l1Fee].map((value) => (isQuantity(value) ? BigInt(value) : 0n))
  const [used = 0n, gasPriceWei = 0n, dataFeeWei = 0n] = numbers
  return { gasUsed: used, gasPriceWei, feeWei: used * gasPriceWei + dataFeeWei }
}

/** The logs of one transaction. Logs are money: one that is foreign, repeated or missing invalidates the answer. */
function readLogs(answers: readonly unknown[], txHash: Hex, blockHash: Hex) {
  const first = answers.length === 0 ? 0 : readQuantity(readObject(answers[0])['logIndex'])
  return answers.map((answer, index) => {
    const log = readObject(answer)
    if (log['removed'] === true) throw new Error('answers a log that was removed')
    if (readBytes(log['transactionHash'], 32) !== txHash) throw new Error('answers another transaction’s log')
    if (readBytes(log['blockHash'], 32) !== blockHash) throw new Error('answers another block’s log')
    if (readQuantity(log['logIndex']) !== first + index) throw new Error('answers logs out of order')
    const { address, topics, data, blockTimestamp } = log
    return {
      // Counted from the transaction's first log: the index in the block changes if another block includes it.
      index,
      address: readBytes(address, 20),
      topics: readList(topics).map((topic) => readBytes(topic, 32)),
      data: readHex(data),
      blockTimeMs: blockTimestamp == null ? undefined : readQuantity(blockTimestamp) * 1000,
    }
  })
}

/** The transactions of the logs that were found. Nodes may return logs whose block was dropped meanwhile. */
export function readLogTransactions(answer: unknown): readonly Hex[] {
  return readList(answer)
    .map(readObject)
    .filter(({ removed }) => removed !== true)
    .map(({ transactionHash }) => readBytes(transactionHash, 32))
}

function readObject(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) throw new Error('answers no object')
  return answer as Record<string, unknown>
}

function readList(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw new Error('answers no list')
  return answer
}

export function isHex(value: unknown, bytesMin: number, bytesMax = bytesMin): value is Hex {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) return false
  const bytes = value.length / 2 - 1
  return bytes >= bytesMin && bytes <= bytesMax
}

export function toLowerCase(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}

export function readHex(answer: unknown): Hex {
  if (!isHex(answer, 0, Number.POSITIVE_INFINITY)) throw new Error('answers no bytes')
  return toLowerCase(answer)
}

export function readBytes(answer: unknown, length: number): Hex {
  const bytes = readHex(answer)
  if (bytes.length !== 2 + 2 * length) throw new Error('answers bytes of another length')
  return bytes
}

export function readQuantity(answer: unknown): number {
  const value = Number(readBigInt(answer))
  if (!Number.isSafeInteger(value)) throw new Error('answers a quantity out of range')
  return value
}

export function readBigInt(answer: unknown): bigint {
  if (!isQuantity(answer)) throw new Error('answers no quantity')
  return BigInt(answer)
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
}

export function toQuantity(number: number | bigint): Hex {
  return `0x${number.toString(16)}`
}

/** Members of answers that honest nodes tell differently: fees, and the times of logs. */
const untold: ReadonlySet<string> = new Set(['cost', 'blockTimeMs'])

/** Equal for answers that say the same, as far as money is concerned. */
export function comparable(answer: unknown): string {
  return JSON.stringify(answer, (name, part) => {
    if (untold.has(name)) return undefined
    return typeof part === 'bigint' ? `${part}n` : part
  })
}
