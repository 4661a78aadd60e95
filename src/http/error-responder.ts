import { Problem } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { createRepeatedWarning } from '../lib/repeated-warning.ts'
import { traceOf } from '../lib/trace-of.ts'
import { busyReason, withBusyForStore } from './busy.ts'
import { problemResponse } from './problem-response.ts'
import type { RequestContext } from './request-context.ts'

export interface ErrorResponderDeps {
  readonly log: Log
  /** Returns the page that shows a 503 to people; undefined where the problem document does. */
  readonly busyPage?: (problem: Problem, context: RequestContext) => Response | undefined
}

/** Returns a function that turns whatever was thrown into a response, and logs what the operator has to know. */
export function createErrorResponder({ log, busyPage }: ErrorResponderDeps) {
  const warnOfBusy = createRepeatedWarning(log, 'busy')

  return (thrown: unknown, context: RequestContext): Response => {
    const error = withBusyForStore(thrown)
    if (error instanceof Problem && error.code === 'busy') {
      warnOfBusy(busyReason(error), { id: context.id })
      return busyPage?.(error, context) ?? problemResponse(error, context)
    }
    if (!(error instanceof Problem)) log.error('request failed', { id: context.id, error: traceOf(error) })
    return problemResponse(error, context)
  }
}
