import process from 'node:process'
import { programArguments } from './workers/worker-environment.ts'

const variable = 'BUN_JSC_forceRAMSize'
const settings = {
  /** What the engine is told the machine has, in bytes. */
  [variable]: String(256 * 2 ** 20),
  /** For how many ms freed memory is kept from the system. */
  MIMALLOC_PURGE_DELAY: '10',
}

/**
 * Bun's engine lets garbage pile up in proportion to the machine's memory: on a large one a server holds some
 * 80 MB more than it needs, and its allocator gives freed memory back late: 10 MB more. Both read what they go by once,
 * at their start, so the program starts itself anew with it, under the same process id. Does nothing where the variable
 * is set already, or where a process cannot do that.
 */
export function startWithSmallHeap(): void {
  if (process.env[variable] !== undefined || process.execve === undefined || process.platform === 'win32')
    return
  const words = [process.execPath, ...process.execArgv, ...programArguments(), ...process.argv.slice(2)]
  process.execve(process.execPath, words, { ...settings, ...process.env } as NodeJS.ProcessEnv)
}
