import { busy } from '../errors.ts'
import { clientBlocks } from '../lib/client-addresses.ts'
import type { Clock } from '../lib/clock.ts'
import { partOf, SharedWindow } from '../lib/rate-limit.ts'

export type FreeDrawings = ReturnType<typeof createFreeDrawings>

const minuteMs = 60_000
const perClientMax = 60
const overallMax = 600

/** Bounds the pictures that are drawn though nobody pays for them and nothing counts; each process has an equal part. */
export function createFreeDrawings({ now }: Clock, processes = 1) {
  const [clientMax, allMax] = [partOf(perClientMax, processes), partOf(overallMax, processes)]
  const window = new SharedWindow(minuteMs)
  const ownDrawn = new Set<string>()

  function acquire(client: string): boolean {
    window.forget(now())
    const blocks = clientBlocks(client)
    if (window.total >= allMax || !window.isWithin(clientMax, blocks, 1)) return false
    window.add(blocks, 1, now())
    return true
  }

  function claim(client: string): void {
    if (!acquire(client)) throw busy('Too many pictures were drawn again just now.', minuteMs / 1000)
  }

  return {
    acquire,
    claim,
    /** Our pages have a few hundred pictures: the first drawing of each is unbounded, for a first reader. Throws `busy`. */
    claimOwn(picture: string, client: string): void {
      if (ownDrawn.has(picture)) claim(client)
      else ownDrawn.add(picture)
    },
  }
}
