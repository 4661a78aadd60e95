import { fullGC } from 'bun:jsc'
import { repeatIfShort } from './repeat-if-short.ts'
import { fasterRow, type Row } from './row.ts'

/** Called with 0, 1, 2 …; what it returns is waited for. */
type Operation = (index: number) => unknown

interface Peer {
  readonly name: string
  readonly run: Operation
  /** How many times as long as ours it must take. */
  readonly atLeast: number
}

interface Comparison {
  /** Rounds before those that count: the engine compiles meanwhile. */
  readonly warmUps?: number
  readonly rounds?: number
  readonly roundMs?: number
  /** Operations in one call of `run`. */
  readonly batch?: number
}

/**
 * Our time of one operation against each peer's, in µs of CPU, all threads of this process counted: medians of rounds.
 * They take turns, and a ratio is the median of the ratios of single rounds: what else the machine does falls on all
 * of them. Nobody pays for the garbage of the one before: it is collected first, in the way that leaves compiled code
 * alone, which `Bun.gc(true)` throws away.
 */
export async function comparedRows(
  what: string,
  run: Operation,
  peers: readonly Peer[],
  { warmUps = 3, rounds = 5, roundMs = 300, batch = 1 }: Comparison = {},
): Promise<Row[]> {
  const contenders = [run, ...peers.map((peer) => peer.run)].map(counted)
  return repeatIfShort(async () => {
    const times = await timesOf(contenders, { warmUps, rounds, roundMs, batch })
    const ours = median(times.map(([own = 0]) => own))
    return peers.map(({ name, atLeast }, index) => {
      const ratio = median(times.map((row) => (row[index + 1] ?? 0) / (row[0] ?? 0)))
      return fasterRow(what, ours, name, ours * ratio, atLeast)
    })
  })
}

/** For each round the µs of each contender. */
async function timesOf(
  contenders: readonly (() => unknown)[],
  { warmUps, rounds, roundMs, batch }: Required<Comparison>,
): Promise<readonly (readonly number[])[]> {
  const times: number[][] = []
  for (let round = 0; round < warmUps + rounds; round++) {
    const row: number[] = []
    for (const contender of contenders) {
      // `Bun.gc(true)` would throw compiled code away.
      fullGC()
      row.push((await roundOf(contender, roundMs)) / batch)
    }
    if (round >= warmUps) times.push(row)
  }
  return times
}

/** Passes each call its index. */
function counted(run: Operation): () => unknown {
  let index = 0
  return () => run(index++)
}

/** Calls it for so long. Returns the µs of CPU of a call. */
export async function roundOf(run: () => unknown, roundMs: number): Promise<number> {
  const cpu = process.cpuUsage()
  const end = performance.now() + roundMs
  let done = 0
  while (done === 0 || performance.now() < end) {
    for (let i = 0; i < 4; i++) {
      const result = run()
      if (result instanceof Promise) await result
      done++
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / done
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
