import { LRUCache } from 'lru-cache'

export interface RateLimitOptions {
  readonly perMinute: number
  /** Milliseconds; where the clock was set back, no time has passed. */
  readonly now: () => number
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** A token bucket for each key: `perMinute` actions a minute, and as many at once after a quiet minute. */
export function createRateLimit({ perMinute, now }: RateLimitOptions) {
  const buckets = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: 20_000 })

  function leftOf(key: string, atMs: number): number {
    const bucket = buckets.get(key) ?? { left: perMinute, atMs }
    const passedMs = Math.max(0, atMs - bucket.atMs)
    return Math.min(perMinute, bucket.left + (passedMs / 60_000) * perMinute)
  }

  function secondsUntilOne(left: number): number {
    return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) / Math.max(perMinute, 1)) * 60))
  }

  return {
    /** Takes a token and returns 0, or takes none and returns the seconds to wait. */
    acquire(key: string): number {
      const atMs = now()
      const left = leftOf(key, atMs)
      buckets.set(key, { left: left >= 1 ? left - 1 : left, atMs })
      return secondsUntilOne(left)
    },
    /** The seconds until a token is there, without taking it. */
    waitSeconds: (key: string): number => secondsUntilOne(leftOf(key, now())),
  }
}
