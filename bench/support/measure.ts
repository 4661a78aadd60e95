import { fullGC } from 'bun:jsc'

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
  { warmUps = 3, rounds = 7, roundMs = 300, batch = 1 }: Comparison = {},
): Promise<Row[]> {
  const contenders = [run, ...peers.map((peer) => peer.run)].map(counted)
  const times: number[][] = []
  for (let round = 0; round < warmUps + rounds; round++) {
    const row: number[] = []
    for (const contender of contenders) {
      fullGC()
      row.push((await roundOf(contender, roundMs)) / batch)
    }
    if (round >= warmUps) times.push(row)
  }
  const ours = median(times.map(([own = 0]) => own))
  return peers.map(({ name, atLeast }, index) => {
    const ratio = median(times.map((row) => (row[index + 1] ?? 0) / (row[0] ?? 0)))
    return fasterRow(what, ours, name, ours * ratio, atLeast)
  })
}

/** The same operation, told how often it was called. */
function counted(run: Operation): () => unknown {
  let index = 0
  return () => run(index++)
}

/** Its µs of CPU a call. */
async function roundOf(run: () => unknown, roundMs: number): Promise<number> {
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

/** One line of the result table. `passed` is undefined where the row only informs. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: string
  readonly target: string
  readonly passed?: boolean
}

/** A row that compares a cost (time, bytes) with a peer's: our figure must be `atLeast` times smaller. */
export function fasterRow(
  what: string,
  ours: number,
  peerName: string,
  peer: number,
  atLeast: number,
  unit = 'µs',
): Row {
  const ratio = peer / ours
  return {
    what,
    ours: `${round(ours)} ${unit}`,
    peer: `${peerName} ${round(peer)} ${unit}`,
    ratio: `${round(ratio)}×`,
    target: `≥ ${atLeast}×`,
    passed: ratio >= atLeast,
  }
}

/** A row with an upper bound on our own figure. */
export function boundRow(what: string, ours: number, atMax: number, unit: string, against = ''): Row {
  return {
    what,
    ours: `${round(ours)} ${unit}`,
    peer: against,
    ratio: '',
    target: `≤ ${atMax} ${unit}`,
    passed: ours <= atMax,
  }
}

/** A peer that is not there: said, never hidden. */
export function skippedRow(what: string, why: string): Row {
  return { what, ours: 'skipped', peer: why, ratio: '', target: '' }
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, ours, peer, ratio, target, passed }) =>
    [what, ours, peer, ratio, target, passed === undefined ? '' : passed ? 'yes' : '**no**'].join(' | '),
  )
  return [
    '| what | ours | peer | ratio | target | met |',
    '|---|---|---|---|---|---|',
    ...lines.map((l) => `| ${l} |`),
  ].join('\n')
}
