import { type FailureReason, FetchFailure } from './fetch-failure.ts'

/** How long something may take, in milliseconds, what is wrong when it takes longer, and what may end it before. */
export type Timeout = readonly [timeoutMs: number, reason: FailureReason, preempted?: AbortSignal]

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

export async function unlessPreempted<T>(work: Promise<T>, preempted: AbortSignal): Promise<T> {
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(new FetchFailure('timeout_total', { preempted: true }))
    if (preempted.aborted) end()
    else preempted.addEventListener('abort', end)
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    preempted.removeEventListener('abort', end)
  }
}
