import { type Bitmap, rowBytes } from './bitmap.ts'
import { countColors } from './count-colors.ts'
import { createScratch } from './scratch.ts'

const colorsMax = 256
/** Steps of 255 that the colour of an antialiased edge may move. */
const reachMax = 8
/** Share of the pixels that may move by more than one step: edges are few, the bands of a gradient are not. */
const movedShareMax = 0.01

const indices = createScratch()

/**
 * Reduces a bitmap to 256 colours where that does not show: exactly, or with rare colours (antialiased edges)
 * moved by a few steps, and all others by one at most. Undefined for gradients and photographs.
 * Returns three bytes a colour, one byte an alpha (none when all are opaque), and rows of one byte a pixel behind the
 * filter byte, which are valid until the next call.
 */
export function indexColors(bitmap: Bitmap) {
  const { widthPx, heightPx } = bitmap
  const counted = countColors(bitmap)
  const chosen = counted && choosePalette(counted.values, counted.counts)
  if (!chosen) return undefined
  const { palette, indexOf } = chosen
  const { slots, repeats } = counted
  const stride = rowBytes(widthPx, 1)
  const rows = indices(stride * heightPx)
  for (let y = 0; y < heightPx; y++) {
    const start = y * stride
    if (repeats[y] === 1) {
      rows.copyWithin(start, start - stride, start)
      continue
    }
    for (let x = 0, from = y * widthPx, to = start + 1; x < widthPx; x++)
      rows[to++] = indexOf[slots[from++] as number] as number
  }
  const isOpaque = palette.every((color) => color >>> 24 === 255)
  return {
    colors: Uint8Array.from(
      palette.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]),
    ),
    alphas: isOpaque ? new Uint8Array(0) : Uint8Array.from(palette, (color) => color >>> 24),
    rows,
  }
}

/** Keeps frequent colours, lets rarer ones join a kept neighbour, and widens the neighbourhood until 256 suffice. */
function choosePalette(values: Uint32Array, counts: Uint32Array) {
  const byFrequency = Uint32Array.from(values.keys()).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number),
  )
  const pixels = counts.reduce((sum, count) => sum + count, 0)
  for (let reach = values.length > colorsMax ? 1 : 0; reach <= reachMax; reach++) {
    const merged = mergeWithin(reach, byFrequency, values)
    if (!merged) continue
    const isMoved = (color: number, slot: number) =>
      distance(color, merged.palette[merged.indexOf[slot] as number] as number) > 1
    const moved = values.reduce(
      (sum, color, slot) => (isMoved(color, slot) ? sum + (counts[slot] as number) : sum),
      0,
    )
    return moved <= pixels * movedShareMax ? merged : undefined
  }
  return undefined
}

/** The colours of a palette (0xAARRGGBB), and from each slot of `values` to its place in them; undefined when 256 do not suffice. */
function mergeWithin(reach: number, byFrequency: Uint32Array, values: Uint32Array) {
  const palette: number[] = []
  const indexOf = new Uint8Array(values.length)
  for (const slot of byFrequency) {
    const color = values[slot] as number
    let index = reach === 0 ? -1 : palette.findIndex((kept) => distance(kept, color) <= reach)
    if (index < 0) {
      if (palette.length === colorsMax) return undefined
      index = palette.push(color) - 1
    }
    indexOf[slot] = index
  }
  return { palette, indexOf }
}

function distance(a: number, b: number): number {
  return Math.max(
    Math.abs((a & 255) - (b & 255)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs(((a >> 16) & 255) - ((b >> 16) & 255)),
    Math.abs((a >>> 24) - (b >>> 24)),
  )
}
