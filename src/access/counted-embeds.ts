import { Buffer } from 'node:buffer'
import { createTwoGenerationCache } from '../lib/two-generation-cache.ts'

/** The embed URLs that are known to be counted on one UTC day, by their deduplication keys. */
export interface CountedEmbeds {
  /** @param epoch the one in which the database granted the URL */
  add(day: number, dedupKey: string, epoch: number): void
  /** Whether the URL was counted on this day and granted in this epoch. */
  has(day: number, dedupKey: string, epoch: number): boolean
  /** To be called when a count is given back. */
  remove(dedupKey: string): void
}

/** Some 6 MB. Which URLs are forgotten first does not matter much: the database knows all of them. */
const embedsMax = 50_000

/** Another day empties it, whichever way the clock has moved. */
export function createCountedEmbeds(max = embedsMax): CountedEmbeds {
  let day: number | undefined
  let epochs = createTwoGenerationCache<number>(max, () => 1)

  return {
    add(today, dedupKey, epoch) {
      if (day !== today) epochs = createTwoGenerationCache(max, () => 1)
      day = today
      // A copy, because a part of a URL would keep the whole URL in memory.
      epochs.set(Buffer.from(dedupKey, 'latin1').toString('latin1'), epoch)
    },
    has: (today, dedupKey, epoch) => day === today && epochs.get(dedupKey) === epoch,
    remove: (dedupKey) => epochs.set(dedupKey, removed),
  }
}

const removed = -1
