import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { programArguments, startedAtVariable, workerVariable } from '../../lib/worker-environment.ts'
import { sendMessage, type ToSupervisor, type ToWorker } from './worker-messages.ts'

/** A worker's process, as its supervisor sees it. */
export type WorkerProcess = ReturnType<typeof startWorkerProcess>

export interface WorkerProcessHandlers {
  readonly onMessage: (message: ToSupervisor) => void
  /** A message or a signal did not arrive, or the process could not be started. */
  readonly onError: (error: Error) => void
  /** Called once. */
  readonly onEnd: (exit: WorkerExit) => void
}

export interface WorkerExit {
  readonly code: number | null
  readonly signal: string | null
}

/** Starts this program again as the worker of this number. */
export function startWorkerProcess(
  number: number,
  env: Readonly<Record<string, string | undefined>>,
  { onMessage, onError, onEnd }: WorkerProcessHandlers,
) {
  const child = spawn(process.execPath, programArguments(), {
    // The worker learns from the end of its standard input that this process has gone.
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    env: { ...env, [workerVariable]: String(number), [startedAtVariable]: String(startedAtMs) },
  })
  let hasEnded = false
  function end(exit: WorkerExit): void {
    if (hasEnded) return
    hasEnded = true
    onEnd(exit)
  }
  child.on('message', onMessage)
  child.on('exit', (code, signal) => end({ code, signal }))
  child.on('error', (error) => {
    onError(error)
    // Without a process id it never started.
    if (child.pid === undefined) end({ code: 1, signal: null })
  })
  return {
    pid: child.pid,
    /** Does nothing once the process has ended, which `onEnd` reports. */
    send: (message: ToWorker) => sendMessage(child, message),
    signal: (name: NodeJS.Signals) => signalTo(child, name),
  }
}

const startedAtMs = Date.now()

/** Not `child.kill`, with which Deno also closes the channel, as if the supervisor had died. */
function signalTo({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch {
    // The process has just ended by itself.
  }
}
