import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Made by `bun build --compile`: Bun mounts what is inside under one of these names. */
export const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')

/** The folder beside the executable in which `bun run build` lays what packages bring as files. */
export const shippedFolder = 'mintmark-files'

const root = isExecutable
  ? join(dirname(process.execPath), shippedFolder)
  : fileURLToPath(new URL('../../node_modules', import.meta.url))

export function packageFile(packageName: string, file: string): string {
  return join(root, packageName, file)
}

/** Path of a file of this project, which the executable has beside it: `projectFile('client/client.js')`. */
export function projectFile(file: string): string {
  return isExecutable
    ? packageFile('mintmark', file)
    : fileURLToPath(new URL(`../../${file}`, import.meta.url))
}

/** Ends the process with a message if this is an executable that was moved without the folder beside it. */
export function refuseMissingFiles(): void {
  if (!isExecutable || existsSync(root)) return
  console.error(
    `${root} is missing: it has the fonts and pictures that Mintmark draws with. Copy the folder ${shippedFolder}, which was built with this executable, beside it.`,
  )
  process.exit(1)
}

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
