import process from 'node:process'
import type { ToSupervisor, ToWorker } from './worker-messages.ts'

/** A worker's line to its supervisor. */
export interface WorkerChannel {
  /** To be said when the worker listens. */
  ready(): void
  /** How to answer when the supervisor asks what this worker counted; plain data, made quickly, and nothing that throws. */
  onReport(report: () => unknown): void
  /** What all workers counted together, those that have ended included. Rejects when nobody says it in time. */
  total(maxAgeMs: number): Promise<unknown>
}

export interface WorkerChannelOptions {
  /** Called once when the supervisor has ended, however it did: nobody would end this process later. */
  readonly onSupervisorGone: () => void
}

const answerMs = 3000

/** Undefined where the process was not started by a supervisor. */
export function openWorkerChannel({ onSupervisorGone }: WorkerChannelOptions): WorkerChannel | undefined {
  if (process.send === undefined) return undefined
  const questions = new Map<number, (total: unknown) => void>()
  const underWay = new Map<number, Promise<unknown>>()
  let report: () => unknown = () => undefined
  let last = 0

  process.on('disconnect', onSupervisorGone)
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'report') say({ kind: 'report', round: message.round, report: report() })
    else questions.get(message.question)?.(message.total)
  })

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
      say({ kind: 'question', question, maxAgeMs })
    })
  }

  return {
    ready: () => say({ kind: 'ready' }),
    onReport(made) {
      report = made
    },
    total(maxAgeMs) {
      // What must be new cannot be the answer to an earlier question.
      if (maxAgeMs === 0) return ask(0)
      const shared = underWay.get(maxAgeMs) ?? ask(maxAgeMs).finally(() => underWay.delete(maxAgeMs))
      underWay.set(maxAgeMs, shared)
      return shared
    },
  }
}

/** Where the supervisor has gone, `disconnect` says so. */
function say(message: ToSupervisor): void {
  if (!process.connected) return
  try {
    process.send?.(message, () => {})
  } catch {
    // The line was cut this moment.
  }
}
