import { LRUCache } from 'lru-cache'

/** Lets each key do so many things a minute, and as many at once after a quiet minute. */
export interface RateLimit {
  /** 0 when the thing may be done now, else the seconds to wait. */
  take(key: string): number
}

/** @param now milliseconds; where it goes back, as clocks do that are set, no time has passed */
export function createRateLimit({
  perMinute,
  now,
}: {
  readonly perMinute: number
  readonly now: () => number
}): RateLimit {
  const buckets = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: 20_000 })
  return {
    take(key) {
      const atMs = now()
      const bucket = buckets.get(key) ?? { left: perMinute, atMs }
      const left = Math.min(perMinute, bucket.left + (Math.max(0, atMs - bucket.atMs) / 60_000) * perMinute)
      const granted = left >= 1
      buckets.set(key, { left: granted ? left - 1 : left, atMs })
      return granted ? 0 : Math.max(1, Math.ceil(((1 - left) / Math.max(perMinute, 1)) * 60))
    },
  }
}
