import { invalidQuery, Problem } from '../errors.ts'
import { FetchFailure } from './fetch-failure.ts'

/** What a failed fetch is to the caller; anything else stays what it is. `parameter` named what was fetched. */
export function fetchProblem(error: unknown, parameter: string): unknown {
  if (!(error instanceof FetchFailure)) return error
  const { code, reason, message, targetStatus } = error
  if (code === 'invalid_query')
    return invalidQuery([{ parameter, message: `is refused (${reason}): ${message}` }])
  const members = { reason, ...(targetStatus !== undefined && { target_status: targetStatus }) }
  return new Problem(code, message, { members, ...(code === 'busy' && { headers: { 'retry-after': '2' } }) })
}
