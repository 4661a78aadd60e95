import { fullGC } from 'bun:jsc'

/** One line of the table. A row without `ours` was skipped; one without a bound only informs. */
export interface Row {
  readonly what: string
  readonly ours?: number
  readonly unit?: string
  /** The name of what is compared, and its figure in the same unit. */
  readonly peer?: string
  readonly theirs?: number
  /** How many times better or larger, as the section says. The bound is on it, else on our own figure. */
  readonly ratio?: number
  readonly min?: number
  readonly max?: number
  readonly note?: string
  readonly met?: boolean
}

/** A row, with whether it keeps its bound. */
export function row(figures: Row): Row {
  const { ours, ratio, min, max } = figures
  if (min === undefined && max === undefined) return figures
  const judged = ratio ?? ours ?? Number.NaN
  const isMet = judged >= (min ?? Number.NEGATIVE_INFINITY) && judged <= (max ?? Number.POSITIVE_INFINITY)
  return { ...figures, met: isMet }
}

/** Something that cannot be measured or tried on this machine. */
export class NotPossibleHere extends Error {
  override readonly name = 'NotPossibleHere'
}

/** `BENCH_QUICK=1` shows in a moment that everything runs; its figures say little. */
export const isQuick = process.env['BENCH_QUICK'] === '1'

interface Rounds {
  /** Rounds before those that count: the engine compiles meanwhile. */
  readonly warmUps?: number
  readonly rounds?: number
}

/**
 * Measures each side in each round. They take turns, so what else the machine does falls on all of them, and a ratio is
 * the median of the ratios of single rounds.
 */
export async function inTurns<T>(
  sides: readonly (() => T | Promise<T>)[],
  { warmUps = 1, rounds = 5 }: Rounds = {},
) {
  const kept: T[][] = []
  const warm = isQuick ? 0 : warmUps
  for (let round = 0; round < warm + (isQuick ? 1 : rounds); round++) {
    const values: T[] = []
    for (const side of sides) values.push(await side())
    if (round >= warm) kept.push(values)
  }
  type Figure = (value: T) => number
  function of(values: readonly T[], side: number, figure: Figure): number {
    return figure(values[side] as T)
  }
  return {
    median: (side: number, figure: Figure = Number) => median(kept.map((values) => of(values, side, figure))),
    /** How many times as much a side is as another one. */
    ratio: (side: number, to: number, figure: Figure = Number) =>
      median(kept.map((values) => of(values, side, figure) / of(values, to, figure))),
  }
}

/** Called with 0, 1, 2 …; what it returns is waited for. */
type Operation = (index: number) => unknown

interface Peer {
  readonly name: string
  readonly run: Operation
  /** How many times as long as ours it must take. */
  readonly min: number
}

interface Comparison extends Rounds {
  readonly roundMs?: number
  readonly batch?: number
}

/**
 * Our time of one operation against each peer's, in µs of CPU, all threads of this process counted. The garbage of the
 * side before is collected first, in the way that leaves compiled code alone: `Bun.gc(true)` throws it away.
 */
export async function comparedRows(
  what: string,
  run: Operation,
  peers: readonly Peer[],
  { warmUps = 3, rounds = 5, roundMs = 300, batch = 1 }: Comparison = {},
): Promise<Row[]> {
  const sides = [run, ...peers.map((peer) => peer.run)].map((operation) => {
    let index = 0
    return async () => {
      fullGC()
      return (await cpuMicros(() => operation(index++), roundMs)) / batch
    }
  })
  const turns = await inTurns(sides, { warmUps, rounds })
  return peers.map(({ name, min }, index) => {
    const ratio = turns.ratio(index + 1, 0)
    const ours = turns.median(0)
    return row({ what, ours, unit: 'µs', peer: name, theirs: ours * ratio, ratio, min })
  })
}

/** Calls it for so long. Returns the µs of CPU of a call. */
export async function cpuMicros(run: () => unknown, roundMs: number): Promise<number> {
  const before = process.cpuUsage()
  const end = performance.now() + (isQuick ? roundMs / 10 : roundMs)
  let done = 0
  while (done === 0 || performance.now() < end) {
    for (let i = 0; i < 4; i++) {
      const result = run()
      if (result instanceof Promise) await result
      done++
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / done
}

export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

/** Three digits, or whole above a hundred. */
export function round(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/**
 * Encodes a text as it goes over the wire, and returns its number of bytes. The engine puts a text that was made of pieces
 * together when somebody first reads it; an operation that returns such a text has not done all of its work.
 */
export function encodedBytes(text: string): number {
  const bytesMax = 3 * text.length
  if (scratch.length < bytesMax) scratch = new Uint8Array(bytesMax)
  return encoder.encodeInto(text, scratch).written
}

const encoder = new TextEncoder()
let scratch = new Uint8Array(2 ** 20)
