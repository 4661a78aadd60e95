import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { mergeReports, type ProcessReport, reportOfEnded } from '../../assets/stats/process-report.ts'
import type { Config } from '../../config.ts'
import { createLog, type Log } from '../../lib/log.ts'
import { programArguments, startedAtVariable, workerVariable } from '../../lib/package-files.ts'
import {
  handleUncaughtErrors,
  lastLinesMs,
  lastRequestsMs,
  lateRequestsMs,
  onEndSignals,
} from '../end-signals.ts'
import type { LineWriter } from '../log-output/line-writer.ts'
import { workerCount } from '../read-start-config.ts'
import type { Environment } from '../runtime.ts'
import { sendMessage, type ToSupervisor, type ToWorker } from './worker-channel.ts'

/** Time that a worker has to end after its last requests before it is killed, in ms. */
const marginMs = 4000

export function supervise(config: Config, env: Environment, lines: LineWriter): void {
  const log = createLog({ level: config.LOG_LEVEL, write: lines.write, now: Date.now })
  const { end } = superviseWorkers({
    count: workerCount(config),
    env,
    log,
    endMs: config.DRAIN_MS + lateRequestsMs + lastRequestsMs + marginMs,
    finish: async (exitCode) => {
      log.flush()
      await lines.drain(lastLinesMs)
      process.exit(exitCode)
    },
  })
  handleUncaughtErrors(log, () => end(1))
}

interface SupervisorOptions {
  readonly count: number
  readonly env: Environment
  readonly log: Pick<Log, 'error'>
  /** The time in which a worker has to end, else it is killed. */
  readonly endMs: number
  /** Called when the last worker has ended. */
  readonly finish: (exitCode: number) => void
  readonly timing?: Partial<typeof defaultTiming>
}

const defaultTiming = {
  /** The interval at which each worker is asked for a sign of life. */
  beatMs: 2000,
  /** A worker that is silent for more beats in a row is stuck and is killed. */
  silentBeatsMax: 5,
  /** A replacement that does not serve by then is stuck. The first start may have much to prepare. */
  readyMsMax: 60_000,
  /** So many early deaths in a row of a worker that had served are followed by an immediate restart. */
  promptRestartsMax: 3,
  /** The first and the longest pause before a process is replaced; each further early death doubles it. */
  restartMsMin: 1000,
  restartMsMax: 30_000,
  /** A process that lived longer than this did not die early. */
  settledMs: 60_000,
}

class Worker {
  readonly number: number
  child: ChildProcess | undefined
  /** Its process serves. */
  isReady = false
  /** One of its processes has served. */
  hasServed = false
  silentBeats = 0
  earlyDeaths = 0
  report: ProcessReport | undefined
  /** Called when it answers the question of this number. */
  readonly unanswered = new Map<number, () => void>()

  constructor(number: number) {
    this.number = number
  }
}

/**
 * Starts this program `count` times and keeps it running: a worker that dies is replaced, one that is stuck is killed.
 * At a signal, or when `end` is called, it asks the workers to end and calls `finish` after the last one. Workers end
 * by themselves when this process dies.
 */
export function superviseWorkers(options: SupervisorOptions): { readonly end: (exitCode: number) => void } {
  const { count, env, log, finish, endMs } = options
  const timing = { ...defaultTiming, ...options.timing }
  const workers = Array.from({ length: count }, (_, index) => new Worker(index + 1))
  const totals = createTotals(workers)
  const heart = setInterval(beat, timing.beatMs)
  let isEnding = false
  let exitCode = 0

  function start(worker: Worker): void {
    const startedMs = performance.now()
    const child = spawn(process.execPath, programArguments(), {
      // The worker learns from the end of its standard input that this process has gone.
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
      env: { ...env, [workerVariable]: String(worker.number), [startedAtVariable]: String(startedAtMs) },
    })
    worker.child = child
    const startTimer = setTimeout(() => {
      if (worker.hasServed && !worker.isReady) killStuck(worker)
    }, timing.readyMsMax).unref()
    function leave(code: number | null, signal: string | null): void {
      if (worker.child !== child) return
      clearTimeout(startTimer)
      totals.leave(worker)
      handleEnd(worker, code, signal, performance.now() - startedMs)
    }
    child.on('message', (message: ToSupervisor) => {
      if (worker.child === child) void receive(worker, message)
    })
    child.on('exit', leave)
    child.on('error', (error) => {
      log.error('worker could not be reached', { worker: worker.number, error: String(error) })
      // Without a process id it never started.
      if (child.pid === undefined) leave(1, null)
    })
  }

  async function receive(worker: Worker, message: ToSupervisor): Promise<void> {
    worker.silentBeats = 0
    if (message.kind === 'ready') {
      worker.isReady = true
      worker.hasServed = true
    } else if (message.kind === 'report') totals.received(worker, message.question, message.report)
    else if (message.kind === 'changed') {
      for (const other of workers) if (other !== worker) send(other, message)
    } else {
      const { question, maxAgeMs } = message
      send(worker, { kind: 'total', question, total: await totals.read(maxAgeMs) })
    }
  }

  function beat(): void {
    for (const worker of workers.filter(({ isReady }) => isReady)) {
      worker.silentBeats += 1
      if (worker.silentBeats > timing.silentBeatsMax) killStuck(worker)
      else send(worker, { kind: 'report', question: 0 })
    }
  }

  function killStuck(worker: Worker): void {
    if (isEnding) return
    log.error('worker is stuck and is killed', { worker: worker.number, pid: worker.child?.pid })
    signalTo(worker, 'SIGKILL')
  }

  function handleEnd(worker: Worker, code: number | null, signal: string | null, livedMs: number): void {
    const exit = { worker: worker.number, code, signal }
    const wasReady = worker.isReady
    worker.child = undefined
    worker.isReady = false
    if (isEnding) {
      // A worker that was still starting has no handler yet: the signal itself ends it.
      exitCode = Math.max(exitCode, code ?? (signal === 'SIGTERM' ? 0 : 1))
      finishAfterLast()
    } else if (worker.hasServed || signal !== null) {
      // A signal that ended it says nothing about whether the next one starts.
      const restartMs = restartPauseMs(worker, wasReady, livedMs, timing)
      log.error('worker ended and is started again', { ...exit, restartMs })
      totals.addRestart()
      setTimeout(() => {
        if (!isEnding) start(worker)
      }, restartMs)
    } else {
      log.error('worker did not start', exit)
      end(code === 0 || code === null ? 1 : code)
    }
  }

  function finishAfterLast(): void {
    if (workers.every(({ child }) => child === undefined)) finish(exitCode)
  }

  function end(code: number): void {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    clearInterval(heart)
    for (const worker of workers) signalTo(worker, 'SIGTERM')
    finishAfterLast()
    setTimeout(() => {
      const running = workers.filter(({ child }) => child !== undefined).length
      log.error('workers did not end in time and are killed', { workers: running })
      endNow()
    }, endMs).unref()
  }

  function endNow(): void {
    exitCode = Math.max(exitCode, 1)
    for (const worker of workers) signalTo(worker, 'SIGKILL')
  }

  for (const worker of workers) start(worker)
  onEndSignals(() => end(0), endNow)
  return { end }
}

/** A sum waits no longer for the slowest worker, whose last report counts then. */
const answerMsMax = 1000

/** Adds up the newest reports of all workers, and those of workers that ended, so that no counter appears to shrink. */
function createTotals(workers: readonly Worker[]) {
  let ended = mergeReports([])
  let question = 0
  let latest: { readonly total: ProcessReport; readonly askedAtMs: number } | undefined

  return {
    received(worker: Worker, answered: number, report: ProcessReport): void {
      worker.report = report
      worker.unanswered.get(answered)?.()
      worker.unanswered.delete(answered)
    },
    /** For a worker whose process has ended: its last report stays in the totals. */
    leave(worker: Worker): void {
      if (worker.report !== undefined) ended = mergeReports([ended, reportOfEnded(worker.report)])
      worker.report = undefined
      for (const resolve of worker.unanswered.values()) resolve()
      worker.unanswered.clear()
    },
    addRestart(): void {
      ended = { ...ended, workerRestarts: ended.workerRestarts + 1 }
    },
    /** The sum of all reports, asked for at most `maxAgeMs` ago. */
    async read(maxAgeMs: number): Promise<ProcessReport> {
      const askedAtMs = performance.now()
      if (latest !== undefined && askedAtMs - latest.askedAtMs <= maxAgeMs) return latest.total
      question += 1
      const asked = workers.filter(({ isReady }) => isReady)
      const answers = asked.map((worker) => {
        send(worker, { kind: 'report', question })
        return new Promise<void>((resolve) => worker.unanswered.set(question, resolve))
      })
      await Promise.race([Promise.all(answers), sleep(answerMsMax)])
      const total = mergeReports([ended, ...workers.flatMap(({ report }) => report ?? [])])
      latest = { total, askedAtMs }
      return total
    },
  }
}

/** The pause before a process is replaced. One that dies while it starts would only take the processor of the others. */
function restartPauseMs(
  worker: Worker,
  wasReady: boolean,
  livedMs: number,
  { promptRestartsMax, restartMsMin, restartMsMax, settledMs }: typeof defaultTiming,
): number {
  const deaths = livedMs < settledMs ? worker.earlyDeaths + 1 : 1
  worker.earlyDeaths = wasReady ? deaths : Math.max(deaths, promptRestartsMax + 1)
  const doublings = worker.earlyDeaths - promptRestartsMax - 1
  return doublings < 0 ? 0 : Math.min(restartMsMax, restartMsMin * 2 ** doublings)
}

const startedAtMs = Date.now()

function send({ child }: Worker, message: ToWorker): void {
  if (child !== undefined) sendMessage(child, message)
}

/** Not `child.kill`, with which Deno also closes the channel, as if the supervisor had died. */
function signalTo({ child }: Worker, name: NodeJS.Signals): void {
  try {
    if (child?.pid !== undefined) process.kill(child.pid, name)
  } catch {
    // The process has just ended by itself.
  }
}
