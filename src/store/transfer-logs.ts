import type { Sqlite } from './sqlite.ts'

/** Which transfer logs have paid for what. Each pays once. */
export interface TransferLogTable {
  /** Whether none of the logs has paid for anything but this payment. */
  areFree(of: TransferLogs, paymentId: string): boolean
  /** Makes the logs a payment's own, in place of those that it had. Throws when one has paid for something else. */
  assign(of: TransferLogs, paymentId: string): void
}

export interface TransferLogs {
  readonly chainId: number
  readonly txHash: string
  /** Counted from the transaction's first log: the block's own count changes when it is mined again elsewhere. */
  readonly logIndexes: readonly number[]
}

export function createTransferLogTable(sqlite: Sqlite): TransferLogTable {
  const ownerOf = sqlite.prepare<{ paymentId: string }>(
    'select payment_id as "paymentId" from transfer_logs where chain_id = ? and tx_hash = ? and log_index = ?',
  )
  const insert = sqlite.prepare(
    'insert into transfer_logs (chain_id, tx_hash, log_index, payment_id) values (?, ?, ?, ?)',
  )
  const drop = sqlite.prepare('delete from transfer_logs where payment_id = ?')
  return {
    areFree({ chainId, txHash, logIndexes }, paymentId) {
      return logIndexes.every((logIndex) => {
        const owner = ownerOf.get(chainId, txHash, logIndex)
        return owner === undefined || owner.paymentId === paymentId
      })
    },
    assign({ chainId, txHash, logIndexes }, paymentId) {
      drop.run(paymentId)
      for (const logIndex of logIndexes) insert.run(chainId, txHash, logIndex, paymentId)
    },
  }
}
