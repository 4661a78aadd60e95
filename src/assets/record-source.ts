import type { FailureReason } from '../web/fetch-failure.ts'

/** Takes down how reading a source went. */
export type RecordSource = (kind: 'document', url: string, outcome: ReadOutcome) => void

export interface ReadOutcome {
  /** The reason of a failure; undefined if the source was read, or had not changed. */
  readonly failure: FailureReason | undefined
  /** Answers from it since the last time, and the one that it is read for. */
  readonly requests: number
}
