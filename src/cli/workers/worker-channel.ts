import process from 'node:process'
import { sendMessage, type ToSupervisor, type ToWorker } from './worker-messages.ts'

/** A worker's channel to its supervisor. */
export interface WorkerChannel {
  /** Tells the supervisor that the worker listens. */
  ready(): void
  /** Sets the function that makes this worker's report. It must be fast, must not throw, and must return plain data. */
  onReport(report: () => unknown): void
  /** The sum of all reports, also of workers that have ended. Rejects when the supervisor does not answer in time. */
  total(maxAgeMs: number): Promise<unknown>
}

const answerMs = 3000

/**
 * Undefined where the process was not started by a supervisor. `onSupervisorGone` is called once when that has ended, for
 * whatever reason: nothing else would end this process.
 */
export function openWorkerChannel(onSupervisorGone: () => void): WorkerChannel | undefined {
  if (process.send === undefined) return undefined
  const questions = new Map<number, (total: unknown) => void>()
  const inFlight = new Map<number, Promise<unknown>>()
  let report: () => unknown = () => undefined
  let last = 0

  // Its standard input is a pipe that nobody writes to, so it ends with the supervisor. `disconnect` is no sign of that:
  // Deno has none where the supervisor was killed before it read everything.
  process.stdin.once('end', onSupervisorGone).resume()
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'report') send({ kind: 'report', round: message.round, report: report() })
    else questions.get(message.question)?.(message.total)
  })

  function send(message: ToSupervisor): void {
    sendMessage(process, message)
  }

  function ask(maxAgeMs: number): Promise<unknown> {
    last += 1
    const question = last
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        questions.delete(question)
        reject(new Error('The supervisor did not answer.'))
      }, answerMs)
      questions.set(question, (total) => {
        clearTimeout(timer)
        questions.delete(question)
        resolve(total)
      })
      send({ kind: 'question', question, maxAgeMs })
    })
  }

  return {
    ready: () => send({ kind: 'ready' }),
    onReport(make) {
      report = make
    },
    total(maxAgeMs) {
      // A fresh total cannot be the answer to an earlier question.
      if (maxAgeMs === 0) return ask(0)
      const shared = inFlight.get(maxAgeMs) ?? ask(maxAgeMs).finally(() => inFlight.delete(maxAgeMs))
      inFlight.set(maxAgeMs, shared)
      return shared
    },
  }
}
