import { clientBlocks } from '../lib/client-blocks.ts'
import { SharedWindow } from '../lib/shared-window.ts'

interface FreeDrawingsDeps {
  /** Milliseconds. */
  readonly now: () => number
}

export type FreeDrawings = ReturnType<typeof createFreeDrawings>

const minuteMs = 60_000
const perClientMax = 60
const overallMax = 600

/** Bounds how many pictures are drawn that nobody pays for and nothing counts. */
export function createFreeDrawings({ now }: FreeDrawingsDeps) {
  const window = new SharedWindow(minuteMs)
  return {
    /** Takes a drawing for the client, and returns whether there was one left. */
    acquire(client: string): boolean {
      window.forget(now())
      const blocks = clientBlocks(client)
      if (window.total >= overallMax || !window.isWithin(perClientMax, blocks, 1)) return false
      window.add(blocks, 1, now())
      return true
    },
  }
}
