import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { onEndSignals } from '../end-signals.ts'
import type { Log } from '../log.ts'
import { createReportRounds, type ReportingWorker, type ReportRoundsDeps } from './report-rounds.ts'
import { programArguments, startedAtVariable, workerVariable } from './worker-environment.ts'
import type { ToSupervisor, ToWorker } from './worker-messages.ts'

export interface SupervisorOptions {
  readonly count: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** How reports of workers are added up. `restarts` adds how often one was started again. */
  readonly reports: Pick<ReportRoundsDeps, 'merge' | 'ofEnded'>
  readonly restartReport: () => unknown
  /** How long a worker may take to end before it is killed. */
  readonly endMs: number
  /** Called when the last worker has ended. */
  readonly finish: (exitCode: number) => void
  readonly timing?: Partial<SupervisorTiming>
}

interface SupervisorTiming {
  /** How often each worker has to give a sign of life. */
  readonly roundMs: number
  /** After how many missing signs in a row a worker is taken for stuck and killed. */
  readonly silentRoundsMax: number
  /** How long a worker that is started again may take until it serves. The first start may have much to prepare. */
  readonly readyMsMax: number
  /** So many early deaths in a row of a worker that had served are followed by a start at once. */
  readonly promptRestartsMax: number
  /** The first and the longest pause before a worker is started again; each further early death doubles it. */
  readonly restartMsMin: number
  readonly restartMsMax: number
  /** Who lived longer than this did not die early. */
  readonly settledMs: number
}

const usualTiming: SupervisorTiming = {
  roundMs: 2000,
  silentRoundsMax: 5,
  readyMsMax: 60_000,
  promptRestartsMax: 3,
  restartMsMin: 1000,
  restartMsMax: 30_000,
  settledMs: 60_000,
}

/** One of the places that workers have; the process in it changes. */
interface Place {
  readonly number: number
  child?: ChildProcess
  wasEverReady: boolean
  /** Whether the process that is in it now was ready. */
  isReady: boolean
  earlyDeaths: number
}

/**
 * Starts this program `count` times and keeps it running: who dies is started again, who is stuck is killed. Asked to
 * end, it asks the workers and ends after them. Workers end by themselves when this process dies.
 */
export function superviseWorkers(options: SupervisorOptions): { readonly end: (exitCode: number) => void } {
  const { count, log, finish, endMs } = options
  const timing = { ...usualTiming, ...options.timing }
  const rounds = createReportRounds(options.reports)
  const places = Array.from(
    { length: count },
    (_, index): Place => ({
      number: index + 1,
      wasEverReady: false,
      isReady: false,
      earlyDeaths: 0,
    }),
  )
  const heartbeat = setInterval(() => void rounds.total(0), timing.roundMs)
  let isEnding = false
  let exitCode = 0

  function living() {
    return places.flatMap(({ child }) => child ?? [])
  }

  function start(place: Place): void {
    const startedAtMs = performance.now()
    const child = spawnWorker(place.number, options.env)
    const member = memberOf(place, child)
    place.child = child
    place.isReady = false
    child.on('message', (message: ToSupervisor) => receive(message, place, member))
    const startTimer = place.wasEverReady ? limitStart(place, child) : undefined
    let hasEnded = false
    function ended(code: number | null, signal: string | null): void {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(startTimer)
      rounds.leave(member)
      delete place.child
      if (isEnding) endedInTurn(code, signal)
      else endedUnasked(place, { code, signal, livedMs: performance.now() - startedAtMs })
    }
    child.on('exit', ended)
    child.on('error', (error) => {
      log.error('worker could not be reached', { worker: place.number, error: String(error) })
      // Without a process id it never started.
      if (child.pid === undefined) ended(1, null)
    })
  }

  function receive(message: ToSupervisor, place: Place, member: ReportingWorker): void {
    if (message.kind === 'ready') {
      place.wasEverReady = true
      place.isReady = true
      rounds.join(member)
    } else if (message.kind === 'report') rounds.received(member, message.round, message.report)
    else void answer(place, message)
  }

  async function answer(place: Place, { question, maxAgeMs }: Extract<ToSupervisor, { kind: 'question' }>) {
    const { child } = place
    const total = await rounds.total(maxAgeMs)
    say(child, { kind: 'total', question, total })
  }

  function memberOf(place: Place, child: ChildProcess): ReportingWorker {
    return {
      ask: (round) => say(child, { kind: 'report', round }),
      silentFor(silentRounds) {
        if (silentRounds < timing.silentRoundsMax || isEnding) return
        killStuck(place, child)
      },
    }
  }

  function limitStart(place: Place, child: ChildProcess) {
    return setTimeout(() => {
      if (!place.isReady && !isEnding) killStuck(place, child)
    }, timing.readyMsMax).unref()
  }

  function killStuck({ number: worker }: Place, child: ChildProcess): void {
    log.error('worker is stuck and is killed', { worker, pid: child.pid })
    signalTo(child, 'SIGKILL')
  }

  function endedUnasked(place: Place, { code, signal, livedMs }: Death): void {
    const { number: worker } = place
    if (!place.wasEverReady) {
      log.error('worker did not start', { worker, code, signal })
      end(code === 0 || code === null ? 1 : code)
      return
    }
    const restartMs = pauseAfter(place, livedMs)
    log.error('worker ended and is started again', { worker, code, signal, restartMs })
    rounds.add(options.restartReport())
    setTimeout(() => {
      if (!isEnding) start(place)
    }, restartMs)
  }

  /** The others serve meanwhile, but who dies while it starts would only take their processor. */
  function pauseAfter(place: Place, livedMs: number): number {
    const { promptRestartsMax, restartMsMin, restartMsMax, settledMs } = timing
    const deaths = livedMs < settledMs ? place.earlyDeaths + 1 : 1
    place.earlyDeaths = place.isReady ? deaths : Math.max(deaths, promptRestartsMax + 1)
    const doublings = place.earlyDeaths - promptRestartsMax - 1
    return doublings < 0 ? 0 : Math.min(restartMsMax, restartMsMin * 2 ** doublings)
  }

  /** One that was still starting is ended by the signal itself, and that is well. */
  function endedInTurn(code: number | null, signal: string | null): void {
    exitCode = Math.max(exitCode, code ?? (signal === 'SIGTERM' ? 0 : 1))
    if (living().length === 0) finish(exitCode)
  }

  function end(code: number): void {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    clearInterval(heartbeat)
    for (const child of living()) signalTo(child, 'SIGTERM')
    if (living().length === 0) finish(exitCode)
    setTimeout(() => {
      log.error('workers did not end in time and are killed', { workers: living().length })
      endNow()
    }, endMs).unref()
  }

  function endNow(): void {
    exitCode = Math.max(exitCode, 1)
    for (const child of living()) signalTo(child, 'SIGKILL')
  }

  for (const place of places) start(place)
  onEndSignals({ end: () => end(0), endNow })
  return { end }
}

interface Death {
  readonly code: number | null
  readonly signal: string | null
  readonly livedMs: number
}

const startedAtMs = Date.now()

function spawnWorker(number: number, env: SupervisorOptions['env']): ChildProcess {
  return spawn(process.execPath, programArguments(), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...env, [workerVariable]: String(number), [startedAtVariable]: String(startedAtMs) },
  })
}

/** Not `child.kill`, with which Deno also cuts the line, as if the supervisor had died. */
function signalTo({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

/** A worker that has just ended says so by its exit. */
function say(child: ChildProcess | undefined, message: ToWorker): void {
  if (child?.connected !== true) return
  try {
    child.send(message, () => {})
  } catch {
    // The line was cut this moment.
  }
}
