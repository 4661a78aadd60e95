import { and, eq } from 'drizzle-orm'
import { given, type Queries } from './drizzle.ts'
import { transferLogs } from './schema.ts'

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
  readonly logIndexes: readonly number[]
}

export function createTransferLogTable(queries: Queries): TransferLogTable {
  const { ownerOf, insert, drop } = prepareQueries(queries)
  return {
    areFree({ chainId, txHash, logIndexes }, paymentId) {
      return logIndexes.every((logIndex) => {
        const owner = ownerOf.get({ chainId, txHash, logIndex })
        return owner === undefined || owner.paymentId === paymentId
      })
    },
    assign({ chainId, txHash, logIndexes }, paymentId) {
      drop.run({ paymentId })
      for (const logIndex of logIndexes) insert.run({ chainId, txHash, logIndex, paymentId })
    },
  }
}

function prepareQueries(queries: Queries) {
  const isIt = and(
    eq(transferLogs.chainId, given('chainId')),
    eq(transferLogs.txHash, given('txHash')),
    eq(transferLogs.logIndex, given('logIndex')),
  )
  const values = {
    chainId: given('chainId'),
    txHash: given('txHash'),
    logIndex: given('logIndex'),
    paymentId: given('paymentId'),
  }
  return {
    ownerOf: queries.select({ paymentId: transferLogs.paymentId }).from(transferLogs).where(isIt).prepare(),
    insert: queries.insert(transferLogs).values(values).prepare(),
    drop: queries
      .delete(transferLogs)
      .where(eq(transferLogs.paymentId, given('paymentId')))
      .prepare(),
  }
}
