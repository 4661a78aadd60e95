import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How long a reader takes for a page, in ms of CPU: the mean of all pages. */
interface CpuMs {
  /** In the first round over the pages, with what the engine compiles meanwhile. */
  readonly cold: number
  readonly warm: number
}

/**
 * Measures a reader in processes of its own, so that none profits from what the ones before it had compiled, or pays
 * for their garbage. The median of three counts; of slow readers, which take minutes for as much, the first.
 */
export function readerCpuMs(name: string): CpuMs {
  const first = runAlone(name)
  if (first.cold > slowMs) return first
  const runs = [first, runAlone(name), runAlone(name)]
  return { cold: middle(runs.map(({ cold }) => cold)), warm: middle(runs.map(({ warm }) => warm)) }
}

const slowMs = 5

function runAlone(name: string): CpuMs {
  const script = fileURLToPath(new URL('./preview-cpu-process.ts', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [script, name], { encoding: 'utf8' })
  return JSON.parse(stdout)
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
