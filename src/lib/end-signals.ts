import { readFileSync } from 'node:fs'
import process from 'node:process'

export interface EndSignalHandlers {
  /** Called once, at the first signal. */
  readonly end: () => void
  /** Called when somebody at a terminal loses patience; without it the first call has the last word. */
  readonly endNow?: () => void
}

/** Signals of one key press come together: to each process of the terminal, and once more from whoever hands them on. */
const samePressMs = 1000
const hangUpBit = 1n

/**
 * Ends the process politely at SIGTERM, SIGINT or SIGHUP. One wish to end often comes as several signals: a service
 * manager sends one to every process of a group, and a parent hands its own on. So only a Ctrl-C that comes
 * clearly later than the first signal ends at once.
 */
export function onEndSignals({ end, endNow }: EndSignalHandlers): void {
  let firstAtMs: number | undefined
  function handle(signal: NodeJS.Signals): void {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      end()
    } else if (signal === 'SIGINT' && performance.now() - firstAtMs >= samePressMs) endNow?.()
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
  if (!ignoresHangUp()) process.on('SIGHUP', handle)
}

/** Started by `nohup`, the process is meant to outlive its terminal; a handler would undo that. */
function ignoresHangUp(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    return (BigInt(`0x${ignored}`) & hangUpBit) !== 0n
  } catch {
    return false
  }
}
