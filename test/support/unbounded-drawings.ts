import { createDrawingQueue, createFreeDrawings, type DrawingQueue } from '../../src/http/cached-renderer.ts'

/** Starts every drawing at once. */
export function unboundedDrawings(): DrawingQueue {
  return createDrawingQueue({ take: async () => true })
}

/** The usual bound of what nothing counts, which few tests come near. */
export function usualFreeDrawings() {
  return createFreeDrawings({ now: Date.now })
}
