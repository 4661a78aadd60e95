import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './is-executable.ts'

/**
 * Starts a program of ours that reads what strangers bring, so that it can be ended at any time, over its two pipes. An
 * executable starts itself; from source the program is a file of its own, which loads little.
 * @param word by which `main.ts` knows the program
 * @param settings of the runtime
 */
export function startOwnProcess(
  word: string,
  program: URL,
  settings: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, processArguments(word, program), {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), ...settings },
  })
}

function processArguments(word: string, program: URL): readonly string[] {
  if (isExecutable) return [word]
  const path = fileURLToPath(program)
  return process.versions['deno'] === undefined ? [path] : ['run', '-A', '--quiet', path]
}

/**
 * Variables that runtimes read. None of our settings, and so no secret, reaches the process that reads input from
 * strangers.
 */
const passedOn = (
  'PATH HOME TMPDIR TEMP TMP SystemRoot DENO_DIR XDG_CACHE_HOME LD_LIBRARY_PATH BUN_JSC_forceRAMSize ' +
  'BUN_JSC_largeHeapGrowthFactor MIMALLOC_PURGE_DELAY'
).split(' ')

/** In such a program: where memory runs out, the kernel is to take this process and not the server. */
export function dieBeforeOthers(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}
