import type { ChildProcess } from 'node:child_process'
import process from 'node:process'
import { mergeReports, type ProcessReport } from '../../assets/stats/process-report.ts'
import { withinAwake } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/waiter.ts'

export type ToWorker =
  /** Asks for what the worker has counted. */
  | { readonly kind: 'report'; readonly question: number }
  | { readonly kind: 'total'; readonly question: number; readonly total: ProcessReport }
  | Changed

export type ToSupervisor =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly question: number; readonly report: ProcessReport }
  /** Asks for the sum of all reports, at most this old. */
  | { readonly kind: 'question'; readonly question: number; readonly maxAgeMs: number }
  | Changed

/** One worker has changed a key or a brand, so the others forget what they have in memory of it. */
type Changed = { readonly kind: 'changed' }

export type WorkerChannel = NonNullable<ReturnType<typeof openWorkerChannel>>

const answerMs = 3000

/** A worker's channel to its supervisor, undefined without one. `onSupervisorGone` must end this process: nothing else would. */
export function openWorkerChannel(onSupervisorGone: () => void) {
  if (process.send === undefined) return undefined
  const questions = new Map<number, (total: ProcessReport) => void>()
  const shared = createCoalescer<ProcessReport>()
  let report: () => ProcessReport = () => mergeReports([])
  let forget = () => {}
  let last = 0

  // Its standard input is a pipe that nobody writes to, so it ends with the supervisor. `disconnect` is no sign of that:
  // Deno has none where the supervisor was killed before it read everything.
  process.stdin.once('end', onSupervisorGone).resume()
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'changed') forget()
    else if (message.kind === 'total') questions.get(message.question)?.(message.total)
    else send({ kind: 'report', question: message.question, report: report() })
  })

  function send(message: ToSupervisor): void {
    sendMessage(process, message)
  }

  function ask(maxAgeMs: number): Promise<ProcessReport> {
    last += 1
    const question = last
    const { promise, resolve } = Promise.withResolvers<ProcessReport>()
    questions.set(question, resolve)
    send({ kind: 'question', question, maxAgeMs })
    const late = () => new Error('The supervisor did not answer.')
    return withinAwake(promise, answerMs, late).finally(() => questions.delete(question))
  }

  return {
    /** Tells the supervisor that the worker listens. `make` makes its report, plain data: it must be fast and not throw. */
    ready(make: () => ProcessReport): void {
      report = make
      send({ kind: 'ready' })
    },
    /** The sum of all reports, also of workers that have ended. Rejects when the supervisor does not answer in time. */
    total(maxAgeMs: number): Promise<ProcessReport> {
      // A fresh total cannot be the answer to an earlier question.
      return maxAgeMs === 0 ? ask(0) : shared(String(maxAgeMs), () => ask(maxAgeMs))
    },
    /** Tells the other workers that this one has changed a key or a brand. */
    tellChange: () => send({ kind: 'changed' }),
    /** Sets what is called when another worker has. */
    onChange(work: () => void): void {
      forget = work
    },
  }
}

/** Sends a message to the other process. Does nothing once that has gone. */
export function sendMessage(
  channel: Pick<ChildProcess, 'connected'> & { send?: ChildProcess['send'] },
  message: ToWorker | ToSupervisor,
): void {
  if (!channel.connected) return
  try {
    channel.send?.(message, () => {})
  } catch {
    // The channel was closed this moment.
  }
}
