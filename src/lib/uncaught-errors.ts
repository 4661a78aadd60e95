import process from 'node:process'
import { format } from 'node:util'
import type { Log } from './log.ts'

export interface UncaughtErrorsDeps {
  readonly log: Pick<Log, 'info' | 'error'>
  /** Called after an exception that nothing caught: ends the process politely, so that a new one takes over. */
  readonly end: () => void
}

/**
 * Says what to do with errors that nothing caught, and what is printed past the log. Returns how many such errors
 * there were.
 *
 * An exception that nothing caught may have left something half done: the process answers what is under way and
 * ends, and whoever supervises it starts a new one. A rejected promise that nobody waits for belongs to one
 * request that has its answer already; if that ended the process, one caller could end the service for all. It
 * is logged and counted.
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

/** What a package prints would wait for whoever reads the output, so it goes to the log like everything else. */
function redirectConsole(log: UncaughtErrorsDeps['log']): void {
  function info(...words: readonly unknown[]) {
    return log.info('printed', { text: format(...words) })
  }
  function error(...words: readonly unknown[]) {
    return log.error('printed', { text: format(...words) })
  }
  Object.assign(console, { debug: info, log: info, info, warn: error, error, trace: error })
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
