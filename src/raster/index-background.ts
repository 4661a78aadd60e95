import type { IndexedBackground } from './backdrop.ts'
import type { Bitmap } from './bitmap.ts'
import { countColors } from './count-colors.ts'
import { type Color, cutByMedian } from './cut-by-median.ts'
import { indexRows } from './index-rows.ts'

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
  if (counted === undefined) return undefined
  const { values, counts } = counted
  if (values.length <= colorsMax)
    return {
      colors: values,
      rows: indexRows(
        bitmap,
        counted,
        values.map((_, slot) => slot),
      ),
    }
  const levels = [16, 8, 0].map((shift) => Float64Array.from(values, (color) => (color >>> shift) & 255))
  const [reds, greens, blues] = levels as [Float64Array, Float64Array, Float64Array]
  const weights = Float64Array.from(counts, (count) => count ** weightExponent)
  const palette = cutByMedian({ weights, levels: [reds, greens, blues] }, colorsMax)
  const colors = Uint32Array.from(
    palette,
    ([red, green, blue]) => ((255 << 24) | (red << 16) | (green << 8) | blue) >>> 0,
  )
  return {
    colors,
    rows: indexRows(
      bitmap,
      counted,
      values.map((color) => nearestTo(color, palette)),
    ),
  }
}

/** The place of the nearest colour in a palette. */
function nearestTo(color: number, palette: readonly Color[]): number {
  const [red, green, blue] = [(color >>> 16) & 255, (color >>> 8) & 255, color & 255]
  let nearest = 0
  let least = Infinity
  for (let place = 0; place < palette.length; place++) {
    const [r, g, b] = palette[place] as Color
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance >= least) continue
    least = distance
    nearest = place
  }
  return nearest
}
