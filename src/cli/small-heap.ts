import process from 'node:process'
import { programArguments } from '../lib/package-files.ts'

const variable = 'BUN_JSC_forceRAMSize'
const settings = {
  /**
   * The memory that the engine believes the machine has, in bytes. While all resident memory of the process is below eight
   * tenths of it, the heap may double before it is collected; below nine tenths it grows by half, then it counts as large.
   */
  [variable]: String(320 * 2 ** 20),
  /** A large heap may reach so many times its size before it is collected. */
  BUN_JSC_largeHeapGrowthFactor: '1.12',
  /** The allocator keeps freed memory for so many ms. */
  MIMALLOC_PURGE_DELAY: '10',
  /**
   * Code that is so hot is compiled in the slowest and best way; 64,000 is the default. A hundred cards from a fresh
   * process spend a fifth less CPU on compiling, and a process that draws on compiles the same code a few cards later.
   */
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '250000',
}

/**
 * Restarts this program with settings for a small heap, under the same process id. On a large machine Bun's engine
 * otherwise holds about 100 MB more garbage, and its allocator 10 MB more freed memory. Both read their settings once, at
 * the start of the process. At rest the restart saves nothing; of 700 cards in all scripts, one in three PNG, the last 200
 * found 194 MB with it and 273 without (207 and 307 at most). Does nothing where the variable is already set or the system
 * has no `execve`.
 */
export function startWithSmallHeap(): void {
  if (process.env[variable] !== undefined || process.execve === undefined || process.platform === 'win32')
    return
  const words = [process.execPath, ...process.execArgv, ...programArguments(), ...process.argv.slice(2)]
  process.execve(process.execPath, words, { ...settings, ...process.env } as NodeJS.ProcessEnv)
}
