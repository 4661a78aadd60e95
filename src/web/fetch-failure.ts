import { invalidQuery, Problem, waitedTooLong } from '../errors.ts'
import { WaitEnded } from '../lib/waiter.ts'
import failures from './failures.json' with { type: 'json' }

/** Why a page could not be fetched: `code` is the error code of our API, `reason` the precise cause. The message never contains text from the target, but for the name of a misspelt member. */
export class FetchFailure extends Error {
  readonly code: FailureCode
  readonly reason: FailureReason
  readonly targetStatus: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: FailureReason,
    details: {
      readonly code?: FailureCode
      readonly targetStatus?: number
      readonly retryAfterSeconds?: number
      readonly message?: string
    } = {},
  ) {
    const { code, message } = byReason[reason]
    super(details.message ?? message)
    this.name = 'FetchFailure'
    this.code = details.code ?? code
    this.reason = reason
    this.targetStatus = details.targetStatus
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export type FailureCode = keyof typeof failures

export type FailureReason = { [Code in FailureCode]: keyof (typeof failures)[Code] }[FailureCode]

interface Failure {
  readonly code: FailureCode
  readonly reason: FailureReason
  readonly message: string
}

const rows = (Object.keys(failures) as readonly FailureCode[]).flatMap(reasonsOf)
const byReason = Object.fromEntries(rows.map((row) => [row.reason, row])) as Record<FailureReason, Failure>

export function failureReason(name: string): FailureReason | undefined {
  return rows.find(({ reason }) => reason === name)?.reason
}

export function reasonsOf(code: FailureCode): readonly Failure[] {
  const messages = Object.entries(failures[code]) as readonly [FailureReason, string][]
  return messages.map(([reason, message]) => ({ code, reason, message }))
}

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
