import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'

/** Set in the environment of worker processes. */
export const workerVariable = 'MINTMARK_WORKER'

const restartDelayMs = 1000

/**
 * Starts this program `count` times and keeps it running. SIGTERM and SIGINT are handed on to the workers;
 * when the last one has ended this process ends too.
 */
export function superviseWorkers(count: number, env: Readonly<Record<string, string | undefined>>): void {
  const children = new Set<ChildProcess>()
  let stopSignal: NodeJS.Signals | undefined
  let exitCode = 0

  function start(number: number): void {
    const child = spawn(process.execPath, programArguments(), {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...env, [workerVariable]: String(number) },
    })
    children.add(child)
    child.on('exit', (code, signal) => {
      children.delete(child)
      if (stopSignal === undefined) {
        setTimeout(() => stopSignal ?? start(number), restartDelayMs)
        return
      }
      // Deno names the signal that we sent, even where the worker ended by itself and well.
      exitCode = Math.max(exitCode, code ?? (signal === stopSignal ? 0 : 1))
      if (children.size === 0) process.exit(exitCode)
    })
  }

  function stop(signal: NodeJS.Signals): void {
    stopSignal = signal
    for (const child of children) child.kill(signal)
    if (children.size === 0) process.exit(exitCode)
  }

  for (let number = 1; number <= count; number++) start(number)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** How to start this program again: an executable of its own needs nothing, a script its runtime's words. */
export function programArguments(): readonly string[] {
  const [, script = ''] = process.argv
  if (script.startsWith('/$bunfs/') || script.includes('~BUN')) return []
  // Deno shares a port between processes only when told so.
  return process.versions['deno'] === undefined ? [script] : ['run', '-A', '--unstable-net', script]
}
