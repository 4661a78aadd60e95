import type { Bitmap } from './bitmap.ts'
import type { ColorCounts } from './count-colors.ts'
import { nearestColor, placeOf, squaredStepsOf } from './nearest-color.ts'

const colorsMax = 256
/** Share of the pixels with rare colours, which are those of antialiased edges. The bands of a gradient, which is in the backdrop if there is one, have more. */
const rareShare = 0.01
/** How far a colour may move, as the square of steps of 255: a rare one by 16 steps, all others by one step in each channel. */
const rareMoveMax = 256
const frequentMoveMax = 3
/** A colour may move the less the more pixels it has: the square of the steps, times the pixels, is below a power of 2. */
const exponentMax = 16
const exactExponent = -1

interface Palette {
  /** 0xAARRGGBB, at most 256 of them. */
  readonly palette: readonly number[]
  /** The place in the palette of each colour. */
  readonly indexOf: Uint8Array
}

/**
 * A palette of the `fixed` colours and those that were counted in a picture, some of which move to their nearest neighbour
 * until 256 suffice. Undefined when that would show.
 */
export function choosePalette(
  { values, counts }: ColorCounts,
  { widthPx, heightPx }: Pick<Bitmap, 'widthPx' | 'heightPx'>,
  fixed?: Int32Array,
): Palette | undefined {
  const byFrequency = Uint32Array.from(counts.keys()).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number),
  )
  const frequent = fixed ? 0 : countFrequent(byFrequency, counts, widthPx * heightPx * rareShare)
  const kept = fixed ?? new Int32Array(0)
  const besideKept = values.map((color) => nearestColor(color, kept))
  const exact = mergeColors(exactExponent)
  if (exact) return exact
  let chosen = mergeColors(exponentMax)
  for (let low = 0, high = exponentMax; chosen && low < high; ) {
    const exponent = (low + high) >> 1
    const nearer = mergeColors(exponent)
    if (nearer) high = exponent
    else low = exponent + 1
    chosen = nearer ?? chosen
  }
  return chosen

  /** Undefined when 256 colours do not suffice. */
  function mergeColors(exponent: number): Palette | undefined {
    const palette = new Int32Array(colorsMax)
    palette.set(kept)
    const indexOf = new Uint8Array(values.length)
    let used = kept.length
    for (let place = 0; place < byFrequency.length; place++) {
      const slot = byFrequency[place] as number
      const color = values[slot] as number
      const nearest = Math.min(besideKept[slot] as number, nearestColor(color, palette, kept.length, used))
      const moveMax = place < frequent ? frequentMoveMax : rareMoveMax
      const isNew = squaredStepsOf(nearest) > Math.min(moveMax, 2 ** exponent / (counts[slot] as number))
      if (isNew && used === colorsMax) return undefined
      if (isNew) palette[used] = color
      indexOf[slot] = isNew ? used++ : placeOf(nearest)
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
