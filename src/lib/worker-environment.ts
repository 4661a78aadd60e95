import process from 'node:process'
import { isExecutable } from './is-executable.ts'

/** Set in the environment of worker processes: the number of the worker. */
export const workerVariable = 'MINTMARK_WORKER'

/** Set in the environment of worker processes: when the supervisor started, in ms since 1970. */
export const startedAtVariable = 'MINTMARK_STARTED_AT_MS'

/** The arguments that make `process.execPath` start this program again: none for an executable, else its script. */
export function programArguments(): readonly string[] {
  const [, script = ''] = process.argv
  if (isExecutable) return []
  // Deno shares a port between processes only with this flag.
  return process.versions['deno'] === undefined ? [script] : ['run', '-A', '--unstable-net', script]
}
