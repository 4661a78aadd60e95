import { existsSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { mergeReports } from '../../../../src/assets/stats/process-report.ts'
import { superviseWorkers } from '../../../../src/cli/workers/supervisor.ts'
import { openWorkerChannel } from '../../../../src/cli/workers/worker-channel.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { workerVariable } from '../../../../src/lib/package-files.ts'

/** A supervisor whose workers count to ten and misbehave as WORKER_ACTS says: refuse, fall, crash, stick, hang, lag, tell, resist or obey. */
const acts = process.env['WORKER_ACTS'] ?? 'obey'
const silentBeats: Readonly<Record<string, number>> = { stick: 3, lag: 20 }
const log = createLog({ level: 'info', write: (lines) => void writeSync(1, lines), now: Date.now })

if (process.env[workerVariable] === undefined) supervise()
else work()

function supervise(): void {
  superviseWorkers({
    count: 2,
    env: process.env,
    log,
    endMs: acts === 'resist' ? 300 : 20_000,
    finish(exitCode) {
      log.info('finished')
      log.flush()
      process.exit(exitCode)
    },
    // Short only where a test waits for it: processes start and answer slowly on a busy machine.
    timing: {
      beatMs: 100,
      silentBeatsMax: silentBeats[acts] ?? 1000,
      readyMsMax: acts === 'hang' ? 6000 : 60_000,
      promptRestartsMax: 2,
      restartMsMin: 20,
      restartMsMax: 80,
    },
  })
}

function work(): void {
  if (acts === 'refuse') process.exit(4)
  if (acts === 'fall' && !isStartedAgain()) process.kill(process.pid, 'SIGKILL')
  if (acts === 'hang' && isStartedAgain()) sleep(30_000)
  const channel = openWorkerChannel(() => process.exit(0))
  channel?.ready(() => ({ ...mergeReports([]), incidents: { linesLost: 10, unhandledErrors: 0 } }))
  if (acts === 'resist') process.on('SIGTERM', () => {})
  if (acts === 'crash' || acts === 'hang') setTimeout(() => process.exit(3), 300)
  if (acts === 'stick') setTimeout(() => sleep(30_000), 300)
  channel?.onChange(() => log.info('heard', { worker: process.env[workerVariable] }))
  if (acts === 'lag') setInterval(() => sleep(150), 10)
  setInterval(async () => {
    const { incidents, workerRestarts } = (await channel?.total(0)) ?? mergeReports([])
    log.info('total', { total: incidents.linesLost + 1000 * workerRestarts })
    if (acts === 'tell' && process.env[workerVariable] === '1') channel?.tellChange()
    log.flush()
  }, 100)
}

function isStartedAgain(): boolean {
  const trace = join(process.env['WORKER_TRACES'] ?? '', `${process.env[workerVariable]}`)
  if (existsSync(trace)) return true
  writeFileSync(trace, '')
  return false
}

/** Stops the whole process, as work that cannot be interrupted does. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
