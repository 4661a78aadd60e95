import {
  colors,
  coverAll,
  endBackdrop,
  numbers,
  packRgba,
  rows,
  startBackdrop,
  startCanvas,
  uncover,
} from './canvas'
import { counts, countUncovered, joinPairsOfRows, numberUncovered, values } from './colors'
import { fillEdges } from './fill'
import { filterRows } from './filter-rows'
import { freeBlocks, takeBlock } from './memory'
import { flatten, placeOutline, startEdges } from './outline'
import { webp, writeWebp } from './webp'

export { countUncovered, joinPairsOfRows, numberUncovered }
export { coverAll, endBackdrop, packRgba, startBackdrop, startCanvas, uncover }
export { fillEdges, filterRows, placeOutline, writeWebp }

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

/** Where the latest WebP file is. */
export function webpAt(): usize {
  return webp
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
