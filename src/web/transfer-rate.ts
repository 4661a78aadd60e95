/** How fast something arrives, over all the time in which it held a slot. */
export interface TransferRate {
  /** Runs the clock; `bytes` answers how many came meanwhile. */
  start(bytes?: () => number): void
  stop(): void
  isSlow(): boolean
}

/** Below this something is slow: a page of 100 KB would take longer than any fetch may. */
const bytesPerSecondMin = 8_192
/** So long a site may think before it is slow. */
const graceMs = 2_000

/** @param now milliseconds */
export function createTransferRate(now: () => number = () => performance.now()): TransferRate {
  let earlierMs = 0
  let earlierBytes = 0
  let startedAtMs: number | undefined
  let bytesNow = () => 0

  function heldMs() {
    return earlierMs + (startedAtMs === undefined ? 0 : now() - startedAtMs)
  }

  return {
    start(bytes = () => 0) {
      startedAtMs ??= now()
      bytesNow = bytes
    },
    stop() {
      earlierMs = heldMs()
      earlierBytes += bytesNow()
      startedAtMs = undefined
      bytesNow = () => 0
    },
    isSlow: () => heldMs() > graceMs && (earlierBytes + bytesNow()) * 1_000 < bytesPerSecondMin * heldMs(),
  }
}
