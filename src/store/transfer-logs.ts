import type { Database } from './database.ts'
import type { Steps } from './operation.ts'
import { statementsOf } from './statements.ts'

interface TransferLogs {
  readonly chainId: number
  readonly txHash: string
  /** Counted from the transaction's first log: the block's own count changes when it is mined again elsewhere. */
  readonly logIndexes: readonly number[]
}

/** Which transfer logs have paid for what. Each pays once. */
export function createTransferLogTable(database: Database) {
  const { one, write } = statementsOf(database)
  const ownerOf = one<[number, string, number], { paymentId: string }>(
    'select payment_id as "paymentId" from transfer_logs where chain_id = ? and tx_hash = ? and log_index = ?',
  )
  const insert = write(
    'insert into transfer_logs (chain_id, tx_hash, log_index, payment_id) values (?, ?, ?, ?)',
  )
  const drop = write('delete from transfer_logs where payment_id = ?')
  return {
    /** Whether none of the logs has paid for anything but this payment. */
    *areFree({ chainId, txHash, logIndexes }: TransferLogs, paymentId: string): Steps<boolean> {
      for (const logIndex of logIndexes) {
        const owner = (yield* ownerOf(chainId, txHash, logIndex))?.paymentId ?? paymentId
        if (owner !== paymentId) return false
      }
      return true
    },
    /** Makes the logs a payment's own, in place of those that it had. Throws if one has paid for something else. */
    *assign({ chainId, txHash, logIndexes }: TransferLogs, paymentId: string): Steps<void> {
      yield* drop(paymentId)
      for (const logIndex of logIndexes) yield* insert(chainId, txHash, logIndex, paymentId)
    },
  }
}
