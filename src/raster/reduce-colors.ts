import { type Bitmap, rowBytes } from './bitmap.ts'
import { countColors } from './count-colors.ts'
import { type Color, cutByMedian } from './cut-by-median.ts'

/**
 * How much a colour counts by its share of the picture. With an exponent of 1 the narrow bands of a steep gradient
 * move by up to 6 steps of 255, with 0.5 the wide bands of a slow one begin to show.
 */
const weightExponent = 0.75

/**
 * Reduces an opaque bitmap to so many colours, in place, if it has more: bands of a gradient join their neighbours.
 * One of more than 4096 colours stays as it is.
 */
export function reduceColors(bitmap: Bitmap, colorsMax: number): void {
  const counted = countColors(bitmap)
  if (counted === undefined || counted.values.length <= colorsMax) return
  const { values, counts, slots, repeats } = counted
  const levels = [16, 8, 0].map((shift) => Float64Array.from(values, (color) => (color >>> shift) & 255))
  const [reds, greens, blues] = levels as [Float64Array, Float64Array, Float64Array]
  const weights = Float64Array.from(counts, (count) => count ** weightExponent)
  const palette = cutByMedian({ weights, levels: [reds, greens, blues] }, colorsMax)
  const nearest = values.map((color) => nearestOf(color, palette))
  const { widthPx, heightPx, rows } = bitmap
  const stride = rowBytes(widthPx, 3)
  for (let y = 0; y < heightPx; y++) {
    const start = y * stride
    if (repeats[y] === 1) {
      rows.copyWithin(start, start - stride, start)
      continue
    }
    for (let x = 0, pixel = y * widthPx, at = start + 1; x < widthPx; x++, at += 3) {
      const color = nearest[slots[pixel++] as number] as number
      rows[at] = color >>> 16
      rows[at + 1] = color >>> 8
      rows[at + 2] = color
    }
  }
}

/** The colour of a palette that is nearest to 0xAARRGGBB, as 0xRRGGBB. */
function nearestOf(color: number, palette: readonly Color[]): number {
  const [red, green, blue] = [(color >>> 16) & 255, (color >>> 8) & 255, color & 255]
  let nearest = 0
  let least = Infinity
  for (const [r, g, b] of palette) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance < least) {
      least = distance
      nearest = (r << 16) | (g << 8) | b
    }
  }
  return nearest
}
