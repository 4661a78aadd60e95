/** At this rate a page of 100 KB takes longer than any fetch may. */
const bytesPerSecondMin = 8_192
/** A site may take this long to answer before it counts as slow. */
const graceMs = 2_000

/** Measures how fast bytes arrive, over all the time in which a fetch held a slot. */
export function createTransferRate() {
  let earlierMs = 0
  let earlierBytes = 0
  let startedAtMs: number | undefined
  let currentBytes = () => 0

  function elapsedMs() {
    return earlierMs + (startedAtMs === undefined ? 0 : performance.now() - startedAtMs)
  }

  return {
    /** Starts the clock. `bytesReceived` returns the bytes received since then. */
    start(bytesReceived = () => 0): void {
      startedAtMs ??= performance.now()
      currentBytes = bytesReceived
    },
    stop(): void {
      earlierMs = elapsedMs()
      earlierBytes += currentBytes()
      startedAtMs = undefined
      currentBytes = () => 0
    },
    isSlow: (): boolean =>
      elapsedMs() > graceMs && (earlierBytes + currentBytes()) * 1_000 < bytesPerSecondMin * elapsedMs(),
  }
}
