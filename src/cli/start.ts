import process from 'node:process'
import type { Environment, Runtime } from './runtime.ts'

export async function start(runtime: Runtime, words: readonly string[], env: Environment): Promise<void> {
  // Loaded apart: a server needs no command, and most commands no server.
  if (words.length === 0) return (await import('./run.ts')).run(runtime, env)
  const { runCommandLine } = await import('./command-line.ts')
  const exitCode = await runCommandLine(words, runtime, env)
  if (exitCode !== 0) process.exitCode = exitCode
}
