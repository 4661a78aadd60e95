/** Measures how fast bytes arrive, over all the time in which a fetch held a slot. */
export interface TransferRate {
  /** Starts the clock. `bytesReceived` returns the bytes received since then. */
  start(bytesReceived?: () => number): void
  stop(): void
  isSlow(): boolean
}

/** At this rate a page of 100 KB takes longer than any fetch may. */
const bytesPerSecondMin = 8_192
/** A site may take this long to answer before it counts as slow. */
const graceMs = 2_000

/** @param now milliseconds */
export function createTransferRate(now: () => number = () => performance.now()): TransferRate {
  let earlierMs = 0
  let earlierBytes = 0
  let startedAtMs: number | undefined
  let currentBytes = () => 0

  function elapsedMs() {
    return earlierMs + (startedAtMs === undefined ? 0 : now() - startedAtMs)
  }

  return {
    start(bytesReceived = () => 0) {
      startedAtMs ??= now()
      currentBytes = bytesReceived
    },
    stop() {
      earlierMs = elapsedMs()
      earlierBytes += currentBytes()
      startedAtMs = undefined
      currentBytes = () => 0
    },
    isSlow: () =>
      elapsedMs() > graceMs && (earlierBytes + currentBytes()) * 1_000 < bytesPerSecondMin * elapsedMs(),
  }
}
