import process from 'node:process'
import { programArguments } from './workers.ts'

const variable = 'BUN_JSC_forceRAMSize'
/** What the engine is told the machine has. */
const toldBytes = 256 * 2 ** 20

/**
 * Bun's engine lets garbage pile up in proportion to the machine's memory: on a large one a server holds some
 * 80 MB more than it needs. It reads how much there is from one variable, once, at its start, so the program starts itself anew with
 * it, under the same process id. Does nothing where the variable is set already, or where a process cannot do that.
 */
export function startWithSmallHeap(): void {
  if (process.env[variable] !== undefined || process.execve === undefined || process.platform === 'win32')
    return
  const words = [process.execPath, ...process.execArgv, ...programArguments(), ...process.argv.slice(2)]
  process.execve(process.execPath, words, {
    ...process.env,
    [variable]: String(toldBytes),
  } as NodeJS.ProcessEnv)
}
