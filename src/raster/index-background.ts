import { cutByMedian } from './cut-by-median.ts'
import { type ColorCounts, countColors, numberColors, type PixelCanvas } from './pixel-canvas.ts'
import { squaredSteps } from './squared-steps.ts'

/**
 * Makes a backdrop of the picture in a canvas, in at most `colorsMax` colours, which it returns as 0xAARRGGBB: bands of a
 * gradient join their neighbours; colours of a backdrop that it has already stay. Undefined when there are more than 4096
 * colours; the picture then stays.
 */
export function indexBackground(canvas: PixelCanvas, colorsMax: number): Int32Array | undefined {
  const { backdrop } = canvas
  const counted = countColors(backdrop !== undefined)
  if (!counted) return undefined
  const before = backdrop?.colors ?? []
  const isReduced = counted.values.length + before.length > colorsMax
  const over = isReduced ? fewerColors(counted, colorsMax - before.length) : counted.values
  const colors = Int32Array.from(new Set([...before, ...over]))
  numberColors(
    canvas,
    Uint8Array.from(counted.values, (color) => nearestOf(color, colors)),
  )
  canvas.startBackdrop(colors)
  if (isReduced && !backdrop) canvas.joinPairsOfRows()
  return colors
}

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
