import { type FailureReason, FetchFailure } from './failure.ts'

/** How long something may take, in milliseconds, and what is wrong when it takes longer. */
export type Limit = readonly [timeoutMs: number, reason: FailureReason]

/** Rejects with `reason` when `work` takes longer. The work itself must be stopped by its owner. */
export const within = async <T>(work: Promise<T>, ...[timeoutMs, reason]: Limit): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchFailure(reason)), Math.max(0, timeoutMs))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
