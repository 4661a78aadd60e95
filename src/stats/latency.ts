import { createHistogram, type Histogram } from '../lib/histogram.ts'

/** How long answers take in this process, by endpoint. */
export interface Latency {
  observe(endpoint: string, ms: number): void
  quantilesMs(): { readonly p50: number; readonly p90: number; readonly p99: number }
  /** The endpoints that were asked, with their durations. */
  byEndpoint(): readonly (readonly [endpoint: string, durations: Histogram])[]
}

export function createLatency(): Latency {
  const all = createHistogram()
  const own = new Map<string, Histogram>()
  const quantile = (q: number) => Math.round(all.quantileMs(q) * 100) / 100
  return {
    observe(endpoint, ms) {
      let histogram = own.get(endpoint)
      if (histogram === undefined) {
        histogram = createHistogram()
        own.set(endpoint, histogram)
      }
      histogram.observe(ms)
      all.observe(ms)
    },
    quantilesMs: () => ({ p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) }),
    byEndpoint: () => [...own],
  }
}
