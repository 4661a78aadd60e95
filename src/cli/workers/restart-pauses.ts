export interface RestartTiming {
  /** How many early deaths in a row of a worker that had served are followed by an immediate restart. */
  readonly promptRestartsMax: number
  /** The first and the longest pause before a process is replaced; each further early death doubles it. */
  readonly restartMsMin: number
  readonly restartMsMax: number
  /** A process that lived longer than this did not die early. */
  readonly settledMs: number
}

/**
 * Returns the pause in ms before a process is replaced. Other workers serve meanwhile, so a worker that dies while it
 * starts is not restarted at once: that would only take their processor.
 */
export function createRestartPauses({
  promptRestartsMax,
  restartMsMin,
  restartMsMax,
  settledMs,
}: RestartTiming) {
  let earlyDeaths = 0
  return (livedMs: number, wasReady: boolean): number => {
    const deaths = livedMs < settledMs ? earlyDeaths + 1 : 1
    earlyDeaths = wasReady ? deaths : Math.max(deaths, promptRestartsMax + 1)
    const doublings = earlyDeaths - promptRestartsMax - 1
    return doublings < 0 ? 0 : Math.min(restartMsMax, restartMsMin * 2 ** doublings)
  }
}
