import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isExecutable } from '../../lib/is-executable.ts'
import { pictureProcessWord } from './picture-messages.ts'

/** An executable starts itself; from source the program is a file of its own, which loads little. */
export function startPictureProcess(): ChildProcess {
  return spawn(process.execPath, processArguments(), {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), ...engineSettings },
  })
}

function processArguments(): readonly string[] {
  if (isExecutable) return [pictureProcessWord]
  const program = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
  return process.versions['deno'] === undefined ? [program] : ['run', '-A', '--quiet', program]
}

/** Without its optimising compiler Bun's engine holds less, and there is little of ours to run. */
const engineSettings = { BUN_JSC_useDFGJIT: '0' } as const

/** What runtimes read. No setting of ours, so no secret, reaches the process that reads what strangers send. */
const passedOn = (
  'PATH HOME TMPDIR TEMP TMP SystemRoot DENO_DIR XDG_CACHE_HOME LD_LIBRARY_PATH BUN_JSC_forceRAMSize ' +
  'MIMALLOC_PURGE_DELAY'
).split(' ')
