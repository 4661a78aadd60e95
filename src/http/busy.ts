import { MeterUnavailable } from '../access/meter.ts'
import { Problem } from '../errors.ts'
import { findStoreError } from '../store/store-error.ts'

/**
 * Turns the error of a database that cannot be read or written into a 503 that asks for another try, for every route.
 * Any other error is returned unchanged.
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

/** Returns the message of the first cause of a 503, for the log. */
export function busyReason(problem: Problem): string {
  const fault = findStoreError(problem.cause)
  if (fault !== undefined) return fault.message
  let first: Error = problem
  while (first.cause instanceof Error) first = first.cause
  return first.message
}
