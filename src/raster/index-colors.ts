import { type Bitmap, rowBytes } from './bitmap.ts'
import { countColors } from './count-colors.ts'
import { createScratch } from './scratch.ts'

const colorsMax = 256
/** Steps of 255 that a rare colour, which is one of an antialiased edge, may move. */
const reachMax = 12
/** Share of the pixels whose colours are rare. All others move by one step at most: edges are few, bands of a gradient are not. */
const rareShare = 0.01

const indices = createScratch()

/**
 * Reduces a bitmap to 256 colours where that does not show: exactly, or with rare colours (antialiased edges)
 * moved by a few steps, and all others by one at most. Undefined for photographs, and for gradients of more colours.
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

/** Keeps frequent colours, and lets rare ones join their nearest neighbour, as far as it takes until 256 suffice. */
function choosePalette(values: Uint32Array, counts: Uint32Array) {
  const byFrequency = Uint32Array.from(values.keys()).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number),
  )
  if (values.length <= colorsMax) return mergeWithin(0, 0, byFrequency, values)
  const frequent = countFrequent(byFrequency, counts)
  let chosen = mergeWithin(reachMax, frequent, byFrequency, values)
  for (let low = 1, high = reachMax; chosen && low < high; ) {
    const reach = (low + high) >> 1
    const nearer = mergeWithin(reach, frequent, byFrequency, values)
    if (nearer) high = reach
    else low = reach + 1
    chosen = nearer ?? chosen
  }
  return chosen
}

/** How many colours make up all pixels but the rare share. */
function countFrequent(byFrequency: Uint32Array, counts: Uint32Array): number {
  const pixels = counts.reduce((sum, count) => sum + count, 0)
  let frequent = 0
  for (let counted = 0; counted < pixels * (1 - rareShare); frequent++)
    counted += counts[byFrequency[frequent] as number] as number
  return frequent
}

/**
 * The colours of a palette (0xAARRGGBB), and from each slot of `values` to its place in them; undefined when 256 do not
 * suffice. Colours join one within `reach` steps, the `frequent` first ones within one step.
 */
function mergeWithin(reach: number, frequent: number, byFrequency: Uint32Array, values: Uint32Array) {
  const palette = new Uint32Array(colorsMax)
  const indexOf = new Uint8Array(values.length)
  let used = 0
  for (let place = 0; place < byFrequency.length; place++) {
    const slot = byFrequency[place] as number
    const color = values[slot] as number
    let index = used
    let least = (place < frequent ? Math.min(1, reach) : reach) + 1
    for (let kept = 0; kept < used && least > 1; kept++) {
      const steps = distance(color, palette[kept] as number)
      if (steps >= least) continue
      least = steps
      index = kept
    }
    if (index === colorsMax) return undefined
    if (index === used) palette[used++] = color
    indexOf[slot] = index
  }
  return { palette: [...palette.subarray(0, used)], indexOf }
}

function distance(a: number, b: number): number {
  return Math.max(
    Math.abs((a & 255) - (b & 255)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs(((a >> 16) & 255) - ((b >> 16) & 255)),
    Math.abs((a >>> 24) - (b >>> 24)),
  )
}
