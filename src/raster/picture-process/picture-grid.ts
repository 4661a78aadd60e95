import { type Rgb, relativeLuminance } from '../../lib/color.ts'
import type { Pixels } from '../pixels.ts'
import type { PictureCell, PictureGrid } from './picture-messages.ts'

const side = 16

/** The share of each value of red, green and blue in the relative luminance, which is their sum. */
const lights = [
  lightsOf((value) => ({ r: value, g: 0, b: 0 })),
  lightsOf((value) => ({ r: 0, g: value, b: 0 })),
  lightsOf((value) => ({ r: 0, g: 0, b: value })),
] as const

function lightsOf(colorOf: (value: number) => Rgb): Float64Array {
  return Float64Array.from({ length: 256 }, (_, value) => relativeLuminance(colorOf(value)))
}

/** How light an opaque picture is, in 16 by 16 cells (fewer where it has fewer pixels). */
export function measureGrid(pixels: Pixels): PictureGrid {
  const columns = Math.min(side, pixels.widthPx)
  const rows = Math.min(side, pixels.heightPx)
  const cells = Array.from({ length: rows * columns }, (_, index) =>
    measureCell(pixels, {
      left: edge(index % columns, columns, pixels.widthPx),
      right: edge((index % columns) + 1, columns, pixels.widthPx),
      top: edge(Math.floor(index / columns), rows, pixels.heightPx),
      bottom: edge(Math.floor(index / columns) + 1, rows, pixels.heightPx),
    }),
  )
  return { columns, rows, cells }
}

function edge(index: number, count: number, lengthPx: number): number {
  return Math.floor((index * lengthPx) / count)
}

function measureCell(
  { widthPx, rgba }: Pixels,
  { left, right, top, bottom }: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>,
): PictureCell {
  const [reds, greens, blues] = lights
  let min = 1
  let max = 0
  let r = 0
  let g = 0
  let b = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left, at = (y * widthPx + left) * 4; x < right; x++, at += 4) {
      const red = rgba[at] as number
      const green = rgba[at + 1] as number
      const blue = rgba[at + 2] as number
      const light = (reds[red] as number) + (greens[green] as number) + (blues[blue] as number)
      if (light < min) min = light
      if (light > max) max = light
      r += red
      g += green
      b += blue
    }
  }
  const count = (right - left) * (bottom - top)
  return { min, max, mean: { r: r / count, g: g / count, b: b / count } }
}
