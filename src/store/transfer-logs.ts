import { eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { matches } from './matches.ts'
import type { Steps } from './operation.ts'
import { queriesOf } from './query.ts'
import { transferLogs } from './schema.ts'

interface MovedLogs {
  readonly chainId: number
  readonly txHash: string
  /** Counted from the transaction's first log: the block's own count changes when it is mined again elsewhere. */
  readonly logIndexes: readonly number[]
}

/** Which transfer logs have paid for what. Each pays once. */
export function createTransferLogTable(database: Database) {
  const { one, write, insert } = queriesOf(database)
  const { chainId, txHash, logIndex, paymentId } = transferLogs
  const ownerOf = one({ chainId, txHash, logIndex }, (of, { select }) =>
    select({ paymentId }).from(transferLogs).where(matches({ chainId, txHash, logIndex }, of)),
  )
  const add = insert(transferLogs)
  const drop = write({ paymentId }, (of, { remove }) =>
    remove(transferLogs).where(eq(paymentId, of.paymentId)),
  )
  return {
    /** Whether none of the logs has paid for anything but this payment. */
    *areFree({ chainId, txHash, logIndexes }: MovedLogs, paymentId: string): Steps<boolean> {
      for (const logIndex of logIndexes) {
        const owner = (yield* ownerOf({ chainId, txHash, logIndex }))?.paymentId ?? paymentId
        if (owner !== paymentId) return false
      }
      return true
    },
    /** Makes the logs a payment's own, in place of those that it had. Throws if one has paid for something else. */
    *assign({ chainId, txHash, logIndexes }: MovedLogs, paymentId: string): Steps<void> {
      yield* drop({ paymentId })
      for (const logIndex of logIndexes) yield* add({ chainId, txHash, logIndex, paymentId })
    },
  }
}
