import { readFileSync } from 'node:fs'
import process from 'node:process'
import { format } from 'node:util'
import type { Log } from '../lib/log.ts'
import { traceOf } from '../lib/system-reason.ts'

/** How long requests in flight may take after the process was asked to stop: queues, the longest work and a payment. */
export const lastRequestsMs = 60_000
/** A process that was asked to stop goes on accepting requests for so long, and for longer on a busy machine, while others are under way. */
export const lateRequestsMs = 3_000
/** How long a slow reader may take for the last log lines. */
export const lastLinesMs = 1000

export interface EndSignalHandlers {
  /** Called once, at the first signal. */
  readonly end: () => void
  /** Called at a second Ctrl-C. */
  readonly endNow?: () => void
}

/** One key press sends several signals: one to each process of the terminal, and more from parents that forward them. */
const samePressMs = 1000
const hangUpBit = 1n

/**
 * Starts a graceful shutdown at SIGTERM, SIGINT or SIGHUP. One request to stop often arrives as several signals: a
 * service manager signals every process of a group, and a parent forwards its own. So only a Ctrl-C that comes clearly
 * later than the first signal ends at once.
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

/** Under `nohup` SIGHUP is ignored, so that the process outlives its terminal; a handler would undo that. */
function ignoresHangUp(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    return (BigInt(`0x${ignored}`) & hangUpBit) !== 0n
  } catch {
    return false
  }
}

interface UncaughtErrorsDeps {
  readonly log: Pick<Log, 'info' | 'error'>
  /** Called after an uncaught exception: starts a graceful shutdown, so that a new process takes over. */
  readonly end: () => void
}

/**
 * Handles uncaught exceptions and unhandled rejections, and redirects `console` to the log. Returns a function that
 * counts these errors.
 *
 * An uncaught exception may have left state half changed, so the process answers open requests and ends; its supervisor
 * starts a new one. An unhandled rejection belongs to one request that already has its answer: it is only logged and
 * counted, since otherwise one caller could end the service for all.
 */
export function handleUncaughtErrors({ log, end }: UncaughtErrorsDeps): () => number {
  let count = 0
  process.on('uncaughtException', (error) => {
    count++
    log.error('uncaught exception', { error: traceOf(error) })
    end()
  })
  process.on('unhandledRejection', (reason) => {
    count++
    log.error('unhandled rejection', { error: traceOf(reason) })
  })
  redirectConsole(log)
  return () => count
}

/** A package that prints would block on a slow reader of the output; the log does not. */
function redirectConsole(log: UncaughtErrorsDeps['log']): void {
  function info(...words: readonly unknown[]) {
    return log.info('printed', { text: format(...words) })
  }
  function error(...words: readonly unknown[]) {
    return log.error('printed', { text: format(...words) })
  }
  Object.assign(console, { debug: info, log: info, info, warn: error, error, trace: error })
}
