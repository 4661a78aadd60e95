import type { IndexedBackground } from './backdrop.ts'
import type { Bitmap } from './bitmap.ts'
import { type ColorCounts, countColors } from './count-colors.ts'
import { cutByMedian } from './cut-by-median.ts'
import { indexRows } from './index-rows.ts'
import { nearestColor, placeOf } from './nearest-color.ts'

/**
 * How much a colour counts by its share of the picture. With an exponent of 1 the narrow bands of a steep gradient
 * move by up to 6 steps of 255, with 0.5 the wide bands of a slow one begin to show.
 */
const weightExponent = 0.75

/**
 * An opaque bitmap by numbers of its colours, of which it keeps so many: bands of a gradient join their neighbours. The
 * rows are valid until the next call. Undefined when there are more than 4096 colours.
 */
export function indexBackground(bitmap: Bitmap, colorsMax: number): IndexedBackground | undefined {
  const counted = countColors(bitmap)
  if (!counted) return undefined
  const { values } = counted
  const colors = values.length <= colorsMax ? values : fewerColors(counted, colorsMax)
  const indexOf = Uint8Array.from(values, (color) => placeOf(nearestColor(color, colors)))
  return { colors, rows: indexRows(bitmap, counted, indexOf) }
}

function fewerColors({ values, counts }: ColorCounts, colorsMax: number): Int32Array {
  function levels(shift: number): Float64Array {
    return Float64Array.from(values, (color) => (color >> shift) & 255)
  }
  const weights = Float64Array.from(counts, (count) => count ** weightExponent)
  const palette = cutByMedian({ weights, levels: [levels(16), levels(8), levels(0)] }, colorsMax)
  return Int32Array.from(palette, ([red, green, blue]) => (255 << 24) | (red << 16) | (green << 8) | blue)
}
