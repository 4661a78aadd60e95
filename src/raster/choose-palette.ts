import type { Bitmap } from './bitmap.ts'
import type { ColorCounts } from './count-colors.ts'
import { nearestColor, placeOf, squaredStepsOf } from './nearest-color.ts'

const colorsMax = 256
/** Steps of 255 that a rare colour, which is one of an antialiased edge, may move. */
const reachMax = 16
/** Share of the pixels with rare colours. All others move by one step at most: edges are few, bands of a gradient are not. */
const rareShare = 0.01

interface Palette {
  /** 0xAARRGGBB, at most 256 of them. */
  readonly palette: readonly number[]
  /** The place in the palette of each colour. */
  readonly indexOf: Uint8Array
}

/**
 * A palette of the `fixed` colours and those that were counted in a picture: frequent ones, which rare ones join as far
 * away as it takes until 256 suffice. Undefined when that would show.
 */
export function choosePalette(
  { values, counts }: ColorCounts,
  { widthPx, heightPx }: Pick<Bitmap, 'widthPx' | 'heightPx'>,
  fixed: Int32Array = new Int32Array(0),
): Palette | undefined {
  const byFrequency = Uint32Array.from(counts.keys()).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number),
  )
  const colors = Int32Array.from(byFrequency, (slot) => values[slot] as number)
  const frequent = countFrequent(byFrequency, counts, widthPx * heightPx * rareShare)
  const besideFixed = colors.map((color) => nearestColor(color, fixed, 0, fixed.length))
  const exact = mergeWithin(0)
  if (exact) return exact
  let chosen = mergeWithin(reachMax)
  for (let low = 1, high = reachMax; chosen && low < high; ) {
    const reach = (low + high) >> 1
    const nearer = mergeWithin(reach)
    if (nearer) high = reach
    else low = reach + 1
    chosen = nearer ?? chosen
  }
  return chosen

  /** Undefined when 256 colours do not suffice for neighbours within `reach` steps, or one step of frequent ones. */
  function mergeWithin(reach: number): Palette | undefined {
    const palette = new Int32Array(colorsMax)
    palette.set(fixed)
    const indexOf = new Uint8Array(colors.length)
    let used = fixed.length
    for (let place = 0; place < colors.length; place++) {
      const color = colors[place] as number
      const nearest = Math.min(besideFixed[place] as number, nearestColor(color, palette, fixed.length, used))
      const isNew = squaredStepsOf(nearest) > (place < frequent ? Math.min(1, reach) : reach) ** 2
      if (isNew && used === colorsMax) return undefined
      if (isNew) palette[used] = color
      indexOf[byFrequency[place] as number] = isNew ? used++ : placeOf(nearest)
    }
    return { palette: [...palette.subarray(0, used)], indexOf }
  }
}

/** How many colours there are but for the rare ones, which have so many pixels together. */
function countFrequent(byFrequency: Uint32Array, counts: Int32Array, rarePixels: number): number {
  let frequent = byFrequency.length
  for (let rest = rarePixels; frequent > 0; frequent--) {
    rest -= counts[byFrequency[frequent - 1] as number] as number
    if (rest < 0) break
  }
  return frequent
}
