/**
 * Time of one operation in µs of CPU, all threads of this process counted: the median of `rounds`
 * rounds of about `roundMs` each, after one warm-up round.
 */
export async function cpuMicrosPerOperation(
  operation: (index: number) => unknown,
  { rounds = 5, roundMs = 300 } = {},
): Promise<number> {
  let index = 0
  const round = async () => {
    const cpu = process.cpuUsage()
    const end = performance.now() + roundMs
    let done = 0
    while (done === 0 || performance.now() < end) {
      for (let i = 0; i < 4; i++) {
        const result = operation(index++)
        if (result instanceof Promise) await result
        done++
      }
    }
    const spent = process.cpuUsage(cpu)
    return (spent.user + spent.system) / done
  }
  await round()
  const results: number[] = []
  for (let i = 0; i < rounds; i++) results.push(await round())
  return median(results)
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
export function boundRow(what: string, ours: number, atMost: number, unit: string, against = ''): Row {
  return {
    what,
    ours: `${round(ours)} ${unit}`,
    peer: against,
    ratio: '',
    target: `≤ ${atMost} ${unit}`,
    passed: ours <= atMost,
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
