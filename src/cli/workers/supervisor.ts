import type { Log } from '../../lib/log.ts'
import { onEndSignals } from '../end-signals.ts'
import { createReportRounds, type ReportRoundsDeps } from './report-rounds.ts'
import { createSupervisedWorker, type WorkerTiming } from './supervised-worker.ts'

export interface SupervisorOptions {
  readonly count: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** How reports of workers are added up. */
  readonly reports: Pick<ReportRoundsDeps, 'merge' | 'ofEnded'>
  /** A report that counts one restart. */
  readonly restartReport: () => unknown
  /** How long a worker may take to end before it is killed. */
  readonly endMs: number
  /** Called when the last worker has ended. */
  readonly finish: (exitCode: number) => void
  readonly timing?: Partial<SupervisorTiming>
}

interface SupervisorTiming extends WorkerTiming {
  /** The interval at which each worker is asked for a report, which is also its sign of life. */
  readonly roundMs: number
}

const defaultTiming: SupervisorTiming = {
  roundMs: 2000,
  silentRoundsMax: 5,
  readyMsMax: 60_000,
  promptRestartsMax: 3,
  restartMsMin: 1000,
  restartMsMax: 30_000,
  settledMs: 60_000,
}

/**
 * Starts this program `count` times and keeps it running: a worker that dies is replaced, one that is stuck is killed.
 * At a signal, or when `end` is called, it asks the workers to end and calls `finish` after the last one. Workers end
 * by themselves when this process dies.
 */
export function superviseWorkers(options: SupervisorOptions): { readonly end: (exitCode: number) => void } {
  const { count, env, log, restartReport, finish, endMs } = options
  const timing = { ...defaultTiming, ...options.timing }
  const rounds = createReportRounds(options.reports)
  const heartbeat = setInterval(() => void rounds.total(0), timing.roundMs)
  let isEnding = false
  let exitCode = 0

  const workers = Array.from({ length: count }, (_, index) =>
    createSupervisedWorker(index + 1, {
      env,
      log,
      rounds,
      restartReport,
      timing,
      onFailedStart: end,
      onStopped({ code, signal }) {
        // A worker that was still starting has no handler yet: the signal itself ends it.
        exitCode = Math.max(exitCode, code ?? (signal === 'SIGTERM' ? 0 : 1))
        finishAfterLast()
      },
    }),
  )

  function finishAfterLast(): void {
    if (!workers.some((worker) => worker.isRunning())) finish(exitCode)
  }

  function end(code: number): void {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    clearInterval(heartbeat)
    for (const worker of workers) worker.stop()
    finishAfterLast()
    setTimeout(() => {
      const running = workers.filter((worker) => worker.isRunning()).length
      log.error('workers did not end in time and are killed', { workers: running })
      endNow()
    }, endMs).unref()
  }

  function endNow(): void {
    exitCode = Math.max(exitCode, 1)
    for (const worker of workers) worker.kill()
  }

  for (const worker of workers) worker.start()
  onEndSignals({ end: () => end(0), endNow })
  return { end }
}
