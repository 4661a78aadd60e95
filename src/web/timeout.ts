import { awakeNowMs, setAwakeTimeout } from '../lib/awake-time.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import type { HopLimits } from './fetch-limits.ts'

/** Rejects with FetchFailure if the work takes longer than `timeoutMs` or passes the deadline. The work itself is not stopped. */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  reason: FailureReason,
  { deadlineAt }: HopLimits,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const leftMs = Math.max(0, deadlineAt - awakeNowMs())
  const timer = setAwakeTimeout(
    () => reject(new FetchFailure(leftMs < timeoutMs ? 'timeout_total' : reason)),
    Math.min(leftMs, timeoutMs),
  )
  try {
    return await Promise.race([work, ended])
  } finally {
    timer.clear()
  }
}
