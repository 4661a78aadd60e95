import process from 'node:process'
import { run } from './run.ts'
import type { Environment, Runtime } from './runtime.ts'

/** Does what the words of the command line ask for; without any, it serves until it is told to stop. */
export async function start(runtime: Runtime, words: readonly string[], env: Environment): Promise<void> {
  if (words.length === 0) return run(runtime, env)
  // Loaded apart: a server needs none of it.
  const { runCommandLine } = await import('./command-line.ts')
  const exitCode = await runCommandLine(words, runtime, env)
  if (exitCode !== 0) process.exitCode = exitCode
}
