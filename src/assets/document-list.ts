import type { FailureReason } from '../web/fetch-failure.ts'

/** The operator's list of the documents of live badges. */
export interface DocumentList {
  record(url: string, outcome: ReadOutcome): void
  /** The orders for a document, about a minute old at most while it is in use; undefined if they have to be loaded. */
  peek(url: string): DocumentOrders | undefined
  load(url: string): Promise<DocumentOrders>
}

export interface DocumentOrders {
  readonly isBlocked: boolean
  /** Grows with each order to read it again: a copy from before is not used. */
  readonly renewals: number
}

export const noOrders: DocumentOrders = { isBlocked: false, renewals: 0 }

/** For programs without an operator. */
export const noDocumentList: DocumentList = { record() {}, peek: () => noOrders, load: async () => noOrders }

export interface ReadOutcome {
  /** The reason of a failure; undefined if the source was read, or had not changed. */
  readonly failure: FailureReason | undefined
  /** Answers from it since the last time, and the one that it is read for. */
  readonly requests: number
}
