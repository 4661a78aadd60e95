import { readFileSync } from 'node:fs'
import process from 'node:process'
import { format } from 'node:util'
import type { Log } from '../lib/log.ts'
import { traceOf } from '../lib/system-reason.ts'

/** Requests in flight may take so long after the process was asked to stop: queues, the longest work and a payment. */
export const lastRequestsMs = 60_000
/** A process that was asked to stop goes on accepting requests for so long, and for longer on a busy machine, while others are under way. */
export const lateRequestsMs = 3_000
/** A slow reader may take so long for the last log lines. */
export const lastLinesMs = 1000

/** One key press sends several signals: one to each process of the terminal, and more from parents that forward them. */
const samePressMs = 1000
const hangUpBit = 1n

/**
 * Starts a graceful shutdown at SIGTERM, SIGINT or SIGHUP. One request to stop often arrives as several signals: a
 * service manager signals every process of a group, and a parent forwards its own. So only a Ctrl-C that comes clearly
 * later than the first signal ends at once, by `endNow`.
 */
export function onEndSignals(end: () => void, endNow?: () => void): void {
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

/**
 * Logs uncaught exceptions, unhandled rejections and what is printed. Returns a function that counts these errors. An
 * uncaught exception may have left state half changed, so `end` answers open requests and ends the process; its supervisor
 * starts a new one. An unhandled rejection belongs to one request that already has its answer: it is only logged and
 * counted, since otherwise one caller could end the service for all.
 */
export function handleUncaughtErrors(log: Pick<Log, 'info' | 'error'>, end: () => void): () => number {
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
  // A package that prints would block on a slow reader of the output; the log does not.
  const info = (...words: readonly unknown[]) => log.info('printed', { text: format(...words) })
  const error = (...words: readonly unknown[]) => log.error('printed', { text: format(...words) })
  Object.assign(console, { debug: info, log: info, info, warn: error, error, trace: error })
  return () => count
}
