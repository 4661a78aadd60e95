import { LRUCache } from 'lru-cache'
import { type ClientBlock, clientBlocks } from './client-blocks.ts'

export interface RateLimitOptions {
  readonly perMinute: number
  /** Milliseconds; where the clock was set back, no time has passed. */
  readonly now: () => number
}

export type RateLimit = ReturnType<typeof createRateLimit>

/**
 * A token bucket for each client: `perMinute` actions a minute, and as many at once after a quiet minute. A client is an
 * address, whose blocks have buckets of their own, or any other name.
 */
export function createRateLimit({ perMinute, now }: RateLimitOptions) {
  const buckets = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: 60_000 })

  function leftOf({ name, weight }: ClientBlock, atMs: number): number {
    const full = perMinute * weight
    const bucket = buckets.get(name) ?? { left: full, atMs }
    const passedMs = Math.max(0, atMs - bucket.atMs)
    return Math.min(full, bucket.left + (passedMs / 60_000) * full)
  }

  function secondsUntilOne(block: ClientBlock, atMs: number): number {
    const left = leftOf(block, atMs)
    const perSecond = Math.max(perMinute * block.weight, 1) / 60
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  function secondsToWait(blocks: readonly ClientBlock[], atMs: number): number {
    return Math.max(...blocks.map((block) => secondsUntilOne(block, atMs)))
  }

  return {
    /** Takes a token and returns 0, or takes none and returns the seconds to wait. */
    acquire(client: string): number {
      const atMs = now()
      const blocks = clientBlocks(client)
      const waitSeconds = secondsToWait(blocks, atMs)
      for (const block of blocks) {
        const left = leftOf(block, atMs)
        buckets.set(block.name, { left: waitSeconds === 0 ? left - 1 : left, atMs })
      }
      return waitSeconds
    },
    /** The seconds until a token is there, without taking it. */
    waitSeconds: (client: string): number => secondsToWait(clientBlocks(client), now()),
  }
}
