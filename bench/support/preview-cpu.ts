import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How long a reader takes, in ms of CPU. */
interface CpuMs {
  /** For a page, in the first round over the pages, with what the engine compiles meanwhile. */
  readonly cold: number
  /** For a page, later. */
  readonly warm: number
  /** For all pages of more than 500 KB together; null for slow readers. */
  readonly large: number | null
}

/**
 * Measures readers in processes of their own, so that none profits from what the ones before it had compiled, or pays
 * for their garbage. They take turns, so that what else the machine does is the same for all, and the median of three counts;
 * slow readers, which take minutes for as much, run once.
 */
export function readersCpuMs(names: readonly string[]): ReadonlyMap<string, CpuMs> {
  const runs = new Map<string, CpuMs[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, ofReader] of runs)
      if (turn === 0 || ofReader[0]?.large !== null) ofReader.push(runAlone(name))
  return new Map([...runs].map(([name, ofReader]) => [name, middles(ofReader)]))
}

const turns = 3

function runAlone(name: string): CpuMs {
  const script = fileURLToPath(new URL('./preview-cpu-process.ts', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [script, name], { encoding: 'utf8' })
  return JSON.parse(stdout)
}

function middles(runs: readonly CpuMs[]): CpuMs {
  return {
    cold: middle(runs.map(({ cold }) => cold)),
    warm: middle(runs.map(({ warm }) => warm)),
    large: runs.some(({ large }) => large === null) ? null : middle(runs.map(({ large }) => large ?? 0)),
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
