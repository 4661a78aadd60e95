import { join } from 'node:path'
import { denoProgram } from '../support/deno-program.ts'

const root = join(import.meta.dir, '../..')

/** How each runtime is asked to run a script of this repository. */
export const runtimes = {
  bun: [process.execPath],
  deno: [denoProgram, 'run', '--allow-all', '--no-check', '--quiet'],
} as const

export type Runtime = keyof typeof runtimes

/** Runs a script of this repository to its end and returns what it printed. */
export async function run(runtime: Runtime, script: string, ...values: readonly string[]): Promise<string> {
  const child = start(runtime, script, ...values)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (exitCode !== 0) throw new Error(`${script} ended with ${exitCode} under ${runtime}: ${errors}`)
  return output
}

export function start(runtime: Runtime, script: string, ...values: readonly string[]) {
  const command = [...runtimes[runtime], join(root, script), ...values]
  return Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
}
