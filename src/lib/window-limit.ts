import { LRUCache } from 'lru-cache'

interface WindowLimitOptions {
  readonly perMinute: number
  /** Milliseconds. */
  readonly now: () => number
}

const minuteMs = 60_000

/** At most `perMinute` actions of each key in any minute. */
export function createWindowLimit({ perMinute, now }: WindowLimitOptions) {
  const times = new LRUCache<string, readonly number[]>({ max: 20_000 })
  return {
    /** Takes an action of the key, and returns whether there was one left. */
    acquire(key: string): boolean {
      const nowMs = now()
      // A time that is still to come is from before the clock was set back.
      const recent = (times.get(key) ?? []).filter((atMs) => atMs <= nowMs && nowMs - atMs < minuteMs)
      if (recent.length >= perMinute) return false
      times.set(key, [...recent, nowMs])
      return true
    },
  }
}
