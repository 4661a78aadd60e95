import process from 'node:process'
import { mergeReports, type ProcessReport, reportOfEnded } from '../assets/stats/process-report.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { lastLinesMs, lastRequestsMs, lateRequestsMs } from './end-signals.ts'
import type { LineWriter } from './log-output/line-writer.ts'
import { workerCount } from './read-start-config.ts'
import type { Environment } from './runtime.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'
import { superviseWorkers } from './workers/supervisor.ts'

/** Time that a worker has to end after its last requests before it is killed, in ms. */
const marginMs = 4000

/** Runs several processes of this program on one port. */
export function supervise(config: Config, env: Environment, lines: LineWriter): void {
  const log = createLog({ level: config.LOG_LEVEL, write: lines.write, now: Date.now })
  const { end } = superviseWorkers({
    count: workerCount(config),
    env,
    log,
    reports: {
      // Workers are processes of this very program.
      merge: (reports) => mergeReports(reports as readonly ProcessReport[]),
      ofEnded: (report) => reportOfEnded(report as ProcessReport),
    },
    restartReport: () => ({ ...mergeReports([]), workerRestarts: 1 }),
    endMs: config.DRAIN_MS + lateRequestsMs + lastRequestsMs + marginMs,
    finish: async (exitCode) => {
      log.flush()
      await lines.drain(lastLinesMs)
      process.exit(exitCode)
    },
  })
  handleUncaughtErrors({ log, end: () => end(1) })
}
