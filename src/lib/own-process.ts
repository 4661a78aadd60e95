import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './package-files.ts'

/** Reads what strangers bring, so it can be ended at any time. An executable starts itself by the word that `main.ts` knows. */
export function startOwnProcess(word: string, program: URL, settings: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(program)
  const script = process.versions['deno'] === undefined ? [path] : ['run', '-A', '--quiet', path]
  return spawn(process.execPath, isExecutable ? [word] : script, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), ...settings },
  })
}

/** Variables that runtimes read: none of our settings, and so no secret, reaches what reads input from strangers. */
const passedOn = (
  'PATH HOME TMPDIR TEMP TMP SystemRoot DENO_DIR XDG_CACHE_HOME LD_LIBRARY_PATH BUN_JSC_forceRAMSize ' +
  'BUN_JSC_largeHeapGrowthFactor MIMALLOC_PURGE_DELAY'
).split(' ')

/** In such a program: its end comes with its pipes. Signals go to the whole group, and the server drains first. */
export function endWithPipes(): void {
  process.stdin.on('error', endAtOnce)
  process.stdout.on('error', endAtOnce)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** In such a program: where memory runs out, the kernel is to take this process and not the server. */
export function dieBeforeOthers(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}

/** Below the rest of the program, which then has twice the share of a processor that both want (Linux). */
const steps = 3
const lowest = 19

/** Lets this thread, and those that it starts, wait for finished answers. Only Linux has a priority for each thread. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(lowest, getPriority() + steps))
  } catch {
    // Deno without the permission, or a sandbox: as fast as the rest.
  }
}
