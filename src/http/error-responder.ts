import { errorCodes, Problem, waitedTooLong } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { createRepeatedWarning } from '../lib/repeated-warning.ts'
import { traceOf } from '../lib/trace-of.ts'
import { WaitEnded } from '../lib/waiter.ts'
import { MeterUnavailable } from '../store/meter.ts'
import { findStoreError, isPassing } from '../store/store-error.ts'
import type { RequestContext } from './request-context.ts'

export interface ErrorResponderDeps {
  readonly log: Log
  /** Returns the page that shows a problem to people; undefined where the problem document does. */
  readonly problemPage?: (problem: Problem, context: RequestContext) => Promise<Response | undefined>
}

/** Returns a function that turns whatever was thrown into a response, and logs what the operator has to know. */
export function createErrorResponder({ log, problemPage }: ErrorResponderDeps) {
  const warnOfBusy = createRepeatedWarning(log, 'busy')

  return async (thrown: unknown, context: RequestContext): Promise<Response> => {
    if (thrown instanceof WaitEnded && thrown.isGone) return new Response(null, { status: clientGoneStatus })
    const error = thrown instanceof WaitEnded ? waitedTooLong(thrown) : withBusyForStore(thrown)
    if (error instanceof Problem && error.code === 'busy') {
      warnOfBusy(busyReason(error), { id: context.id })
    }
    if (!(error instanceof Problem)) {
      log.error('request failed', { id: context.id, error: traceOf(error) })
      return problemResponse(error, context)
    }
    return (await problemPage?.(error, context)) ?? problemResponse(error, context)
  }
}

/** Nobody hears this answer. The log and the statistics count it, as those of other servers do. */
const clientGoneStatus = 499

/**
 * Turns the error of a database that cannot be read or written into a 503 that asks for another try, for every route.
 * Any other error is returned unchanged.
 */
function withBusyForStore(error: unknown): unknown {
  if (error instanceof Problem) return error
  const fault = findStoreError(error)
  if (fault === undefined && !(error instanceof MeterUnavailable)) return error
  const retryAfterSeconds = fault === undefined || isPassing(fault) ? 1 : 5
  return new Problem('busy', fault?.kind === 'unknown' ? outcomeUnknown : unusable, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause: error,
  })
}

const unusable = 'The database cannot be used at this moment; nothing was charged or changed.'
const outcomeUnknown =
  'The database went away while it stored this, and whether it did is not known: look before you try again.'

/** Returns the message of the first cause of a 503, for the log. */
function busyReason(problem: Problem): string {
  const fault = findStoreError(problem.cause)
  if (fault !== undefined) return fault.message
  let first: Error = problem
  while (first.cause instanceof Error) first = first.cause
  return first.message
}

/** The response to an error. An error that is no `Problem` is a bug: the caller learns nothing of it but the request id. */
export function problemResponse(error: unknown, { baseUrl }: Pick<RequestContext, 'baseUrl'>): Response {
  const problem = error instanceof Problem ? error : new Problem('internal', errorCodes.internal.remedy)
  return new Response(JSON.stringify(problem.toJSON(baseUrl)), {
    status: problem.status,
    headers: { 'cache-control': 'no-store', ...problem.headers, 'content-type': 'application/problem+json' },
  })
}
