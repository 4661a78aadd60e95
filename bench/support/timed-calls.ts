/** Something that is called many times, such as a database of one size. */
export interface TimedCalls {
  readonly count: number
  /** Called with 0, 1, 2 … */
  call(index: number): Promise<void>
  close(): Promise<void>
}

/** Long against what the first call of a turn pays for the caches that another side has filled. */
const turn = 500

/**
 * The wall-clock time of each call of each side, in µs, one call after another. They take turns: what else the machine
 * does falls on all of them.
 */
export async function callsInTurns(sides: readonly TimedCalls[]): Promise<number[][]> {
  const times = sides.map((): number[] => [])
  const last = Math.max(...sides.map(({ count }) => count))
  for (let from = 0; from < last; from += turn) {
    for (const [side, { count, call }] of sides.entries()) {
      for (let index = from; index < Math.min(from + turn, count); index += 1) {
        const startMs = performance.now()
        await call(index)
        times[side]?.push((performance.now() - startMs) * 1_000)
      }
    }
  }
  return times
}
