import { MeterUnavailable } from '../access/meter.ts'
import { Problem } from '../errors.ts'
import { findStoreError } from '../store/store-error.ts'

/**
 * What a database that cannot be read or written is to a caller: 503, and worth another try. Anything else stays what
 * it is. This is the one place that decides so, for every route.
 */
export function withBusyForStore(error: unknown): unknown {
  if (error instanceof Problem) return error
  const fault = findStoreError(error)
  if (fault === undefined && !(error instanceof MeterUnavailable)) return error
  const retryAfterSeconds = fault === undefined || fault.kind === 'locked' ? 1 : 5
  return new Problem('busy', 'The database cannot be used at this moment; nothing was charged or changed.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause: error,
  })
}

/** Why a caller was told that we are busy, for the log: the first cause, in its own words. */
export function busyReason(problem: Problem): string {
  const fault = findStoreError(problem.cause)
  if (fault !== undefined) return fault.message
  let first: Error = problem
  while (first.cause instanceof Error) first = first.cause
  return first.message
}
