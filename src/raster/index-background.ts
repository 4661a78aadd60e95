import { type Bitmap, rowBytes } from './bitmap.ts'
import { type ColorCounts, type CountedBitmap, countColors } from './count-colors.ts'
import { cutByMedian } from './cut-by-median.ts'
import { indexRows } from './index-rows.ts'
import { squaredSteps } from './squared-steps.ts'

/** A background by numbers of its colours, as it is kept. */
export interface IndexedBackground {
  /** 0xAARRGGBB, signed. */
  readonly colors: Int32Array
  /** One byte a pixel behind the filter byte of each row. */
  readonly rows: Uint8Array<ArrayBuffer>
}

/**
 * An opaque bitmap by numbers of its colours, of which it keeps so many: bands of a gradient join their neighbours. The
 * rows are valid until the next call. Undefined when there are more than 4096 colours.
 */
export function indexBackground(bitmap: Bitmap, colorsMax: number): IndexedBackground | undefined {
  const counted = countColors(bitmap)
  if (!counted) return undefined
  const { values } = counted
  const isReduced = values.length > colorsMax
  const colors = isReduced ? fewerColors(counted, colorsMax) : values
  const indexOf = Uint8Array.from(values, (color) => nearestOf(color, colors))
  const rows = indexRows(bitmap, counted, indexOf)
  if (isReduced) joinPairsOfRows(bitmap, counted, colors, rows)
  return { colors, rows }
}

/** Steps of 255 that a pixel may move to be as the one above: more than neighbours of a gradient, less than an edge of a shape. */
const joinedSteps = 6

/** Lets the lower row of a pair follow the upper one in gradients, whose bands then end in steps of two rows: files are a tenth smaller. */
function joinPairsOfRows(
  { widthPx, heightPx }: Bitmap,
  { values, slots, repeats }: CountedBitmap,
  colors: Int32Array,
  rows: Uint8Array,
): void {
  const stride = rowBytes(widthPx, 1)
  for (let y = 1; y < heightPx; y += 2) {
    if (repeats[y] === 1) continue
    for (let x = 0, at = y * stride + 1; x < widthPx; x++, at++) {
      const above = rows[at - stride] as number
      if (above === rows[at]) continue
      const color = values[slots[y * widthPx + x] as number] as number
      if (squaredSteps(color, colors[above] as number) <= joinedSteps ** 2) rows[at] = above
    }
  }
}

function fewerColors({ values, counts }: ColorCounts, colorsMax: number): Int32Array {
  function levels(shift: number): Float64Array {
    return Float64Array.from(values, (color) => (color >> shift) & 255)
  }
  const weights = Float64Array.from(counts, weightOf)
  const palette = cutByMedian({ weights, levels: [levels(16), levels(8), levels(0)] }, colorsMax)
  return Int32Array.from(palette, ([red, green, blue]) => (255 << 24) | (red << 16) | (green << 8) | blue)
}

/**
 * A colour counts by its pixels to the power of 0.75, by roots because powers differ between runtimes. With an
 * exponent of 1 the narrow bands of a steep gradient move by up to 6 steps of 255, with 0.5 the wide bands of a slow one
 * begin to show.
 */
function weightOf(count: number): number {
  return Math.sqrt(count * Math.sqrt(count))
}

/** The place of the nearest colour. */
function nearestOf(color: number, colors: Int32Array): number {
  let nearest = 0
  let least = Infinity
  for (let place = 0; place < colors.length; place++) {
    const steps = squaredSteps(color, colors[place] as number)
    if (steps >= least) continue
    least = steps
    nearest = place
  }
  return nearest
}
