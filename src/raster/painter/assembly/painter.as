import { countRgba, joinPairsOfRows, numberRgba, packRgba } from './background'
import { colors, endBackdrop, numbers, rows, startBackdrop, startCanvas, uncover } from './canvas'
import { counts, countUncovered, numberUncovered, values } from './count-colors'
import { deflate, deflated, deflatedEnd, deflatePhotograph } from './deflate'
import { startEdges } from './edges'
import { fillEdges } from './fill'
import { flatten, placeOutline } from './flatten'
import { freeBlocks, takeBlock } from './memory'
import { webp, webpEnd, writeWebp } from './webp'

export { countRgba, joinPairsOfRows, numberRgba, packRgba }
export { countUncovered, deflate, deflatePhotograph, endBackdrop, fillEdges, numberUncovered }
export { placeOutline, startBackdrop, startCanvas, uncover, writeWebp }

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

/** Where the latest zlib stream is. */
export function deflatedAt(): usize {
  return deflated
}
export function deflatedBytes(): usize {
  return deflatedEnd - deflated
}

/** Where the latest WebP file is. */
export function webpAt(): usize {
  return webp
}
export function webpBytes(): usize {
  return webpEnd - webp
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
