import { type FailureReason, FetchFailure } from './fetch-failure.ts'

/** A time limit in ms, the failure when it is exceeded, and a signal that ends the work before. */
export type Timeout = readonly [timeoutMs: number, reason: FailureReason, preempted?: AbortSignal]

/** Rejects with FetchFailure if the work takes too long or is preempted. The work itself is not stopped. */
export async function withTimeout<T>(
  work: Promise<T>,
  ...[timeoutMs, reason, preempted]: Timeout
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchFailure(reason)), Math.max(0, timeoutMs))
  })
  try {
    const inTime = Promise.race([work, late])
    return await (preempted === undefined ? inTime : unlessPreempted(inTime, preempted))
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects with FetchFailure `timeout_total`, marked as preempted, once the signal aborts. */
export async function unlessPreempted<T>(work: Promise<T>, preempted: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  function abort() {
    reject(new FetchFailure('timeout_total', { preempted: true }))
  }
  if (preempted.aborted) abort()
  else preempted.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    preempted.removeEventListener('abort', abort)
  }
}
