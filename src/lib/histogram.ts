/** Upper bounds in ms, about a half more each time: a quantile is right to within a sixth. */
const boundsMs = [
  0.1, 0.15, 0.25, 0.4, 0.6, 1, 1.5, 2.5, 4, 6, 10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1000, 1500, 2500,
  4000, 6000, 10_000, 20_000, 30_000,
] as const

/** Counts durations in fixed buckets: what it holds never grows. */
export interface Histogram {
  observe(ms: number): void
  /** The duration that the part `q` (0 to 1) of all stayed below, estimated within its bucket; 0 without any. */
  quantileMs(q: number): number
  snapshot(): HistogramSnapshot
}

export interface HistogramSnapshot {
  /** Each with the count of everything up to its bound. */
  readonly buckets: readonly { readonly boundMs: number; readonly count: number }[]
  readonly count: number
  readonly sumMs: number
}

export function createHistogram(): Histogram {
  const counts = new Array<number>(boundsMs.length + 1).fill(0)
  let count = 0
  let sumMs = 0

  function quantileMs(q: number): number {
    const wanted = q * count
    let below = 0
    for (const [index, here] of counts.entries()) {
      if (here > 0 && below + here >= wanted) {
        const from = boundsMs[index - 1] ?? 0
        const to = boundsMs[index] ?? from
        return from + ((to - from) * (wanted - below)) / here
      }
      below += here
    }
    return 0
  }

  return {
    observe(ms) {
      const index = boundsMs.findIndex((bound) => ms <= bound)
      const slot = index < 0 ? boundsMs.length : index
      counts[slot] = (counts[slot] ?? 0) + 1
      count += 1
      sumMs += ms
    },
    quantileMs,
    snapshot() {
      let sum = 0
      const buckets = boundsMs.map((boundMs, index) => {
        sum += counts[index] ?? 0
        return { boundMs, count: sum }
      })
      return { buckets, count, sumMs }
    },
  }
}
