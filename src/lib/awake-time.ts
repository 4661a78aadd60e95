/** Poll interval while waiting. */
const lookMs = 100

let awakeMs = 0
let lastLookMs = 0

/**
 * The clock of those who wait for somebody else's answer, in ms from an arbitrary start. Where this process itself stood
 * still, because it loaded code or the machine was busy, only 200 ms are counted: what was answered meanwhile is read
 * afterwards, and by the plain clock it would be too late. The clock runs while somebody waits with `setAwakeTimeout` or looks
 * that often himself.
 */
export function awakeNowMs(): number {
  const nowMs = performance.now()
  awakeMs += Math.min(nowMs - lastLookMs, 2 * lookMs)
  lastLookMs = nowMs
  return awakeMs
}

export interface AwakeTimeout {
  clear(): void
}

/** Calls back after `delayMs` by `awakeNowMs`. */
export function setAwakeTimeout(callback: () => void, delayMs: number): AwakeTimeout {
  const deadlineMs = awakeNowMs() + delayMs
  let timer: ReturnType<typeof setTimeout>

  function wait(restMs: number): void {
    timer = setTimeout(look, Math.min(lookMs, Math.max(1, restMs)))
  }

  function look(): void {
    const restMs = deadlineMs - awakeNowMs()
    if (restMs > 0) wait(restMs)
    else callback()
  }

  wait(delayMs)
  return { clear: () => clearTimeout(timer) }
}

/** Settles as the promise does, but rejects with an error once it has taken `delayMs` by `awakeNowMs`. */
export async function withinAwake<T>(promise: Promise<T>, delayMs: number, late: () => Error): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>()
  const timer = setAwakeTimeout(() => reject(late()), delayMs)
  try {
    return await Promise.race([promise, end])
  } finally {
    timer.clear()
  }
}
