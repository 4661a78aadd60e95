import { invalidQuery, Problem, waitedTooLong } from '../errors.ts'
import { WaitEnded } from '../lib/waiter.ts'
import { FetchFailure } from './fetch-failure.ts'

/** Turns a FetchFailure into the problem for the caller, and returns any other error as it is. `parameter` is the one that named the URL. */
export function fetchProblem(error: unknown, parameter: string): unknown {
  if (error instanceof WaitEnded && !error.isGone) return waitedTooLong(error)
  if (!(error instanceof FetchFailure)) return error
  const { code, reason, message, targetStatus, retryAfterSeconds = 2 } = error
  if (code === 'invalid_query')
    return invalidQuery([{ parameter, message: `is refused (${reason}): ${message}` }])
  const members = { reason, ...(targetStatus !== undefined && { target_status: targetStatus }) }
  const headers = code === 'busy' ? { 'retry-after': String(retryAfterSeconds) } : {}
  return new Problem(code, message, { members, headers })
}
