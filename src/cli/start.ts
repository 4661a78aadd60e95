import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { runCommand } from './commands.ts'
import { run } from './run.ts'
import type { Runtime } from './runtime.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Does what the words of the command line ask for; without any, it serves until it is told to stop. */
export async function start(runtime: Runtime, words: readonly string[], env: Environment): Promise<void> {
  const command = runCommand(words, env)
  if (command === undefined) return run(runtime, env)
  try {
    // Not `console.log`, which is silent where the output is full or closed: what was asked for did not come then.
    writeFileSync(1, `${await command}\n`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
