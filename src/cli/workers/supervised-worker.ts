import type { Log } from '../../lib/log.ts'
import type { ReportRounds } from './report-rounds.ts'
import type { ToSupervisor } from './worker-messages.ts'
import { startWorkerProcess, type WorkerExit, type WorkerProcess } from './worker-process.ts'

export interface SupervisedWorkerDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Pick<Log, 'error'>
  readonly rounds: ReportRounds
  /** A replacement's addition to the report of all workers. */
  readonly restartReport: () => unknown
  readonly timing: WorkerTiming
  /** Called when the first process ends by itself before it is ready: another one would fail as well. */
  readonly onFailedStart: (exitCode: number) => void
  /** Called when the process has ended after `stop`. */
  readonly onStopped: (exit: WorkerExit) => void
}

export interface WorkerTiming {
  /** After how many unanswered rounds in a row a worker is taken for stuck and killed. */
  readonly silentRoundsMax: number
  /** How long a replacement may take until it serves. The first start may have much to prepare. */
  readonly readyMsMax: number
  /** How many early deaths in a row of a worker that had served are followed by an immediate restart. */
  readonly promptRestartsMax: number
  /** The first and the longest pause before a process is replaced; each further early death doubles it. */
  readonly restartMsMin: number
  readonly restartMsMax: number
  /** A process that lived longer than this did not die early. */
  readonly settledMs: number
}

/** One of the workers. Its process is replaced when it ends, and killed when it no longer answers. */
export function createSupervisedWorker(number: number, deps: SupervisedWorkerDeps) {
  const { log, timing, restartReport, onFailedStart, onStopped } = deps
  const nextPauseMs = createRestartPauses(timing)
  let current: WorkerProcess | undefined
  let wasEverReady = false
  let isStopping = false

  function start(): void {
    const startedAtMs = performance.now()
    let isReady = false
    const worker = runWorker(number, deps, {
      onReady() {
        isReady = true
        wasEverReady = true
      },
      onStuck: killStuck,
      onEnd(exit) {
        clearTimeout(startTimer)
        current = undefined
        if (isStopping) onStopped(exit)
        // A signal that ended it says nothing about whether the next one starts.
        else if (wasEverReady || exit.signal !== null)
          replace(exit, nextPauseMs(performance.now() - startedAtMs, isReady))
        else failStart(exit)
      },
    })
    current = worker
    const startTimer = setTimeout(() => {
      if (wasEverReady && !isReady) killStuck(worker)
    }, timing.readyMsMax).unref()
  }

  function killStuck(worker: WorkerProcess): void {
    if (isStopping) return
    log.error('worker is stuck and is killed', { worker: number, pid: worker.pid })
    worker.signal('SIGKILL')
  }

  function failStart({ code, signal }: WorkerExit): void {
    log.error('worker did not start', { worker: number, code, signal })
    onFailedStart(code === 0 || code === null ? 1 : code)
  }

  function replace({ code, signal }: WorkerExit, restartMs: number): void {
    log.error('worker ended and is started again', { worker: number, code, signal, restartMs })
    deps.rounds.add(restartReport())
    setTimeout(() => {
      if (!isStopping) start()
    }, restartMs)
  }

  return {
    start,
    isRunning: (): boolean => current !== undefined,
    /** Asks the process to end; it is not replaced. */
    stop(): void {
      isStopping = true
      current?.signal('SIGTERM')
    },
    /** Ends the process at once. */
    kill: (): void => current?.signal('SIGKILL'),
  }
}

interface RunHandlers {
  readonly onReady: () => void
  readonly onStuck: (worker: WorkerProcess) => void
  readonly onEnd: (exit: WorkerExit) => void
}

/** Starts a process that takes part in the rounds of reports from the moment it is ready until it ends. */
function runWorker(
  number: number,
  { env, log, rounds, timing }: SupervisedWorkerDeps,
  { onReady, onStuck, onEnd }: RunHandlers,
): WorkerProcess {
  const worker = startWorkerProcess(number, env, {
    onMessage: (message) => void receive(message),
    onError: (error) => log.error('worker could not be reached', { worker: number, error: String(error) }),
    onEnd(exit) {
      rounds.leave(member)
      onEnd(exit)
    },
  })
  const member = {
    ask: (round: number) => worker.send({ kind: 'report', round }),
    silentFor(silentRounds: number) {
      if (silentRounds >= timing.silentRoundsMax) onStuck(worker)
    },
  }

  async function receive(message: ToSupervisor): Promise<void> {
    if (message.kind === 'ready') {
      onReady()
      rounds.join(member)
    } else if (message.kind === 'report') rounds.received(member, message.round, message.report)
    else {
      const { question, maxAgeMs } = message
      worker.send({ kind: 'total', question, total: await rounds.total(maxAgeMs) })
    }
  }

  return worker
}

/**
 * Returns the pause in ms before a process is replaced. Other workers serve meanwhile, so a worker that dies while it
 * starts is not restarted at once: that would only take their processor.
 */
function createRestartPauses({ promptRestartsMax, restartMsMin, restartMsMax, settledMs }: WorkerTiming) {
  let earlyDeaths = 0
  return (livedMs: number, wasReady: boolean): number => {
    const deaths = livedMs < settledMs ? earlyDeaths + 1 : 1
    earlyDeaths = wasReady ? deaths : Math.max(deaths, promptRestartsMax + 1)
    const doublings = earlyDeaths - promptRestartsMax - 1
    return doublings < 0 ? 0 : Math.min(restartMsMax, restartMsMin * 2 ** doublings)
  }
}
