import process from 'node:process'

/** Set in the environment of worker processes: the number of the worker. */
export const workerVariable = 'MINTMARK_WORKER'

/** Set in the environment of worker processes: when the supervisor started, in ms since 1970. */
export const startedAtVariable = 'MINTMARK_STARTED_AT_MS'

/** How to start this program again: an executable of its own needs nothing, a script its runtime's words. */
export function programArguments(): readonly string[] {
  const [, script = ''] = process.argv
  if (script.startsWith('/$bunfs/') || script.includes('~BUN')) return []
  // Deno shares a port between processes only when told so.
  return process.versions['deno'] === undefined ? [script] : ['run', '-A', '--unstable-net', script]
}
