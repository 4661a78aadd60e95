import { awakeNowMs, setAwakeTimeout } from '../lib/awake-time.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import type { HopLimits } from './fetch-limits.ts'

/**
 * Rejects with FetchFailure if the work takes longer than `timeoutMs`, passes the deadline or is preempted. The work
 * itself is not stopped.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  reason: FailureReason,
  { deadlineAt, preempted }: HopLimits,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  function preempt() {
    reject(new FetchFailure('timeout_total', { preempted: true }))
  }
  const leftMs = Math.max(0, deadlineAt - awakeNowMs())
  const timer = setAwakeTimeout(
    () => reject(new FetchFailure(leftMs < timeoutMs ? 'timeout_total' : reason)),
    Math.min(leftMs, timeoutMs),
  )
  if (preempted.aborted) preempt()
  else preempted.addEventListener('abort', preempt)
  try {
    return await Promise.race([work, ended])
  } finally {
    timer.clear()
    preempted.removeEventListener('abort', preempt)
  }
}
