export type LatencySnapshot = Readonly<Record<string, HistogramSnapshot>>

export function createLatency() {
  const byEndpoint = new Map<string, ReturnType<typeof createHistogram>>()
  return {
    observe(endpoint: string, ms: number): void {
      const histogram = byEndpoint.get(endpoint) ?? createHistogram()
      if (!byEndpoint.has(endpoint)) byEndpoint.set(endpoint, histogram)
      histogram.observe(ms)
    },
    snapshot: (): LatencySnapshot =>
      Object.fromEntries([...byEndpoint].map(([name, histogram]) => [name, histogram.snapshot()])),
  }
}

export function mergeLatencies(all: readonly LatencySnapshot[]): LatencySnapshot {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))]
  const merged = names.map((name) => [name, mergeHistograms(all.flatMap((one) => one[name] ?? []))])
  return Object.fromEntries(merged)
}

/** Over every endpoint, in ms with two digits; null while nothing was measured. */
export function latencyQuantilesMs(latency: LatencySnapshot) {
  const all = mergeHistograms(Object.values(latency))
  function quantile(q: number) {
    return countOf(all) === 0 ? null : Math.round(quantileMs(all, q) * 100) / 100
  }
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) } as const
}

/** Upper bounds of the buckets in ms, each about 1.5 times the one before: a quantile is right to within a sixth. */
const boundsMs = [
  0.1, 0.15, 0.25, 0.4, 0.6, 1, 1.5, 2.5, 4, 6, 10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1000, 1500, 2500,
  4000, 6000, 10_000, 20_000, 30_000,
] as const

export interface HistogramSnapshot {
  /** The count of each bucket; the last one is for durations above every bound. */
  readonly counts: readonly number[]
  readonly sumMs: number
}

export function createHistogram() {
  const counts = emptyCounts()
  let sumMs = 0
  return {
    observe(ms: number): void {
      let slot = 0
      // A loop, since this is done for every answer, and a slow database makes it a long one. NaN counts as too long.
      while (slot < boundsMs.length && !(ms <= (boundsMs[slot] ?? 0))) slot += 1
      counts[slot] = (counts[slot] ?? 0) + 1
      sumMs += ms
    },
    snapshot: (): HistogramSnapshot => ({ counts: [...counts], sumMs }),
  }
}

export function mergeHistograms(all: readonly HistogramSnapshot[]): HistogramSnapshot {
  return {
    counts: emptyCounts().map((_, index) => all.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
    sumMs: all.reduce((sum, one) => sum + one.sumMs, 0),
  }
}

/** The quantile `q` (0 to 1) in ms, interpolated within its bucket; 0 for an empty histogram. */
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

/** Each bound with the count of all durations up to it, as Prometheus writes histograms. */
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
