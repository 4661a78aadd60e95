import {
  createHistogram,
  type Histogram,
  type HistogramSnapshot,
  mergeHistograms,
  quantileMs,
} from './histogram.ts'

/** How long answers took, by endpoint. */
export type LatencySnapshot = Readonly<Record<string, HistogramSnapshot>>

/** Measures how long answers of this process take. */
export interface Latency {
  observe(endpoint: string, ms: number): void
  snapshot(): LatencySnapshot
}

export function createLatency(): Latency {
  const byEndpoint = new Map<string, Histogram>()
  return {
    observe(endpoint, ms) {
      let histogram = byEndpoint.get(endpoint)
      if (histogram === undefined) {
        histogram = createHistogram()
        byEndpoint.set(endpoint, histogram)
      }
      histogram.observe(ms)
    },
    snapshot: () =>
      Object.fromEntries([...byEndpoint].map(([name, histogram]) => [name, histogram.snapshot()])),
  }
}

export function mergeLatencies(all: readonly LatencySnapshot[]): LatencySnapshot {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))]
  return Object.fromEntries(
    names.map((name) => [name, mergeHistograms(all.flatMap((one) => one[name] ?? []))]),
  )
}

/** Over every endpoint, in ms with two digits. */
export function latencyQuantilesMs(latency: LatencySnapshot) {
  const all = mergeHistograms(Object.values(latency))
  function quantile(q: number) {
    return Math.round(quantileMs(all, q) * 100) / 100
  }
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) } as const
}
