/** Upper bounds in ms, about a half more each time: a quantile is right to within a sixth. */
const boundsMs = [
  0.1, 0.15, 0.25, 0.4, 0.6, 1, 1.5, 2.5, 4, 6, 10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1000, 1500, 2500,
  4000, 6000, 10_000, 20_000, 30_000,
] as const

/** Counts durations in fixed buckets: what it holds never grows. */
export interface Histogram {
  observe(ms: number): void
  snapshot(): HistogramSnapshot
}

/** Plain data, so that processes can send it to one another. */
export interface HistogramSnapshot {
  /** How many fell into each bucket; the last is for what is longer than every bound. */
  readonly counts: readonly number[]
  readonly sumMs: number
}

export function createHistogram(): Histogram {
  const counts = emptyCounts()
  let sumMs = 0
  return {
    observe(ms) {
      const index = boundsMs.findIndex((bound) => ms <= bound)
      const slot = index < 0 ? boundsMs.length : index
      counts[slot] = (counts[slot] ?? 0) + 1
      sumMs += ms
    },
    snapshot: () => ({ counts: [...counts], sumMs }),
  }
}

/** What all of them counted together. */
export function mergeHistograms(all: readonly HistogramSnapshot[]): HistogramSnapshot {
  return {
    counts: emptyCounts().map((_, index) => all.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
    sumMs: all.reduce((sum, one) => sum + one.sumMs, 0),
  }
}

/** The duration that the part `q` (0 to 1) of all stayed below, estimated within its bucket; 0 without any. */
export function quantileMs(snapshot: HistogramSnapshot, q: number): number {
  const wanted = q * countOf(snapshot)
  let below = 0
  for (const [index, here] of snapshot.counts.entries()) {
    if (here > 0 && below + here >= wanted) {
      const from = boundsMs[index - 1] ?? 0
      const to = boundsMs[index] ?? from
      return from + ((to - from) * (wanted - below)) / here
    }
    below += here
  }
  return 0
}

export function countOf({ counts }: HistogramSnapshot): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Each bound with the count of everything up to it. */
export function cumulativeBuckets({ counts }: HistogramSnapshot) {
  let sum = 0
  return boundsMs.map((boundMs, index) => {
    sum += counts[index] ?? 0
    return { boundMs, count: sum }
  })
}

function emptyCounts(): number[] {
  return new Array<number>(boundsMs.length + 1).fill(0)
}
