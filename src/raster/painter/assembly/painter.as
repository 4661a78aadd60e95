import { countRgba, joinPairsOfRows, numberRgba, packRgba } from './background'
import { colors, numbers, rows, startBackdrop, startCanvas, uncover } from './canvas'
import { counts, countUncovered, numberUncovered, values } from './count-colors'
import { deflate, deflated, deflatedEnd } from './deflate'
import { startEdges } from './edges'
import { fillEdges } from './fill'
import { flatten, placeOutline } from './flatten'
import { freeBlocks, takeBlock } from './memory'
import { outline, readPath } from './read-path'
import { webp, webpEnd, writeWebp } from './webp'

export { countRgba, joinPairsOfRows, numberRgba, packRgba }
export { countUncovered, deflate, fillEdges, numberUncovered, placeOutline, readPath, startBackdrop, startCanvas, uncover, writeWebp }

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

/** Where the latest outline is that was read. */
export function outlineAt(): usize {
  return outline
}

/** The address of so many bytes that hold until the next call. */
export function takeInput(bytes: usize): usize {
  freeBlocks()
  return takeBlock(bytes)
}

/** Makes edges of an outline of so many f64. */
export function addOutline(at: usize, count: usize): void {
  startEdges(<u32>count)
  flatten(at, at + (count << 3))
}
