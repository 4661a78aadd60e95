import { createDrawingQueue, type DrawingQueue } from '../../src/http/drawing-queue.ts'

/** Starts every drawing at once. */
export function unboundedDrawings(): DrawingQueue {
  return createDrawingQueue({ shares: { take: async () => true } })
}
