import process from 'node:process'
import { format } from 'node:util'
import type { Log } from '../lib/log.ts'
import { traceOf } from '../lib/trace-of.ts'

export interface UncaughtErrorsDeps {
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
