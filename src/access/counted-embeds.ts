import { Buffer } from 'node:buffer'
import { createTwoGenerationCache } from '../lib/two-generation-cache.ts'

/** The signed addresses that the database granted on one UTC day, by their digests. */
export interface CountedEmbeds {
  /** @param epoch the one in which the database granted the address */
  add(day: number, digest: string, epoch: number): void
  /** Whether the address was granted on this day and in this epoch. */
  has(day: number, digest: string, epoch: number): boolean
  /** To be called when a count is given back. */
  remove(digest: string): void
}

/** Some 6 MB. Which addresses are forgotten first does not matter much: the database knows all of them. */
const embedsMax = 50_000

/** Another day empties it, whichever way the clock has moved. */
export function createCountedEmbeds(max = embedsMax): CountedEmbeds {
  let day: number | undefined
  let epochs = createTwoGenerationCache<number>(max, () => 1)

  return {
    add(today, digest, epoch) {
      if (day !== today) epochs = createTwoGenerationCache(max, () => 1)
      day = today
      // A copy, because a part of a longer text would keep all of it in memory.
      epochs.set(Buffer.from(digest, 'latin1').toString('latin1'), epoch)
    },
    has: (today, digest, epoch) => day === today && epochs.get(digest) === epoch,
    remove: (digest) => epochs.set(digest, removed),
  }
}

const removed = -1
