import { getPriority, setPriority } from 'node:os'
import process from 'node:process'

/** Below the rest of the program, which then has twice the share of a processor that both want (Linux). */
const steps = 3
const lowest = 19

/**
 * Lets the calling thread, and the threads that it starts, stand back where a processor is wanted: what is drawn or
 * decoded takes milliseconds, and an answer that is ready must not wait for its turn behind that. Only Linux has a
 * priority for each thread; elsewhere it would be the whole process's.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(lowest, getPriority() + steps))
  } catch {
    // Deno without the permission, or a sandbox: as fast as the rest.
  }
}
