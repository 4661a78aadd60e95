import { LRUCache } from 'lru-cache'
import { isStillAhead } from '../../lib/clock.ts'
import type { FetchFailure } from '../../web/fetch-failure.ts'
import type { FreshPreview } from './fetch-preview.ts'
import type { Preview } from './preview.ts'

export interface CachedPreview {
  readonly preview: FreshPreview
  readonly storedAtMs: number
}

/** Previews within a bound of bytes, and the recent failures. Times are milliseconds. */
export interface PreviewCache {
  get(key: string): CachedPreview | undefined
  set(key: string, preview: FreshPreview): CachedPreview
  /** A failure of the last minute: its site is not asked again. */
  recentFailure(key: string): FetchFailure | undefined
  setFailure(key: string, failure: FetchFailure): void
  /** How long the preview is past its time to live; negative while it is fresh. */
  staleMs(entry: CachedPreview): number
  /** The answer for a preview from the cache, or for one that was just fetched. */
  toPreview(entry: CachedPreview, state: Preview['cache']['state']): Preview
}

export function createPreviewCache(bytesMax: number, now: () => number): PreviewCache {
  const entries = new LRUCache<string, CachedPreview>({
    maxSize: bytesMax,
    maxEntrySize: 262_144,
    sizeCalculation: ({ preview }, key) => key.length + JSON.stringify(preview).length * 2,
  })
  const failures = new LRUCache<string, { readonly failure: FetchFailure; readonly untilMs: number }>({
    max: 2_000,
  })

  return {
    get: (key) => entries.get(key),
    set(key, preview) {
      const entry = { preview, storedAtMs: now() }
      entries.set(key, entry)
      failures.delete(key)
      return entry
    },
    recentFailure(key) {
      const failed = failures.get(key)
      return failed !== undefined && isStillAhead(failed.untilMs, now(), failureMs)
        ? failed.failure
        : undefined
    },
    setFailure(key, failure) {
      failures.set(key, { failure, untilMs: now() + failureMs })
    },
    staleMs: ({ preview, storedAtMs }) => Math.abs(now() - storedAtMs) - preview.ttlSeconds * 1000,
    toPreview({ preview: { ttlSeconds, isUnpaidPart: _, ...fields }, storedAtMs }, state) {
      const age = Math.max(0, Math.floor((now() - storedAtMs) / 1000))
      return { ...fields, cache: { state, age, ttl: ttlSeconds } }
    },
  }
}

const failureMs = 60_000
