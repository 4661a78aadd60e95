import { countRgba, joinPairsOfRows, numberRgba, packRgba } from './background'
import { colors, numbers, rows, startBackdrop, startCanvas, uncover } from './canvas'
import { counts, countUncovered, numberUncovered, values } from './count-colors'
import { startEdges } from './edges'
import { fillEdges } from './fill'
import { flatten, placeOutline } from './flatten'
import { freeBlocks, takeBlock } from './memory'

export { countRgba, joinPairsOfRows, numberRgba, packRgba }
export { countUncovered, fillEdges, numberUncovered, placeOutline, startBackdrop, startCanvas, uncover }

/** Addresses of the canvas, which hold until the next one, and of the colours that were counted. */
export function rowsAt(): usize {
  return rows
}
export function numbersAt(): usize {
  return numbers
}
export function colorsAt(): usize {
  return colors
}
export function valuesAt(): usize {
  return values
}
export function countsAt(): usize {
  return counts
}

/** The address of so many bytes that hold until the next call. */
export function takeInput(bytes: usize): usize {
  freeBlocks()
  return takeBlock(bytes)
}

/** Makes edges of an outline of so many f64 at an address of `takeInput`. */
export function addOutline(at: usize, count: usize): void {
  startEdges(<u32>count)
  flatten(at, at + (count << 3))
}
