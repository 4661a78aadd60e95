import type { Bitmap } from './bitmap.ts'
import { ColorGrid, squaredReach } from './color-grid.ts'
import type { ColorCounts } from './pixel-canvas.ts'

/** Share of the pixels with rare colours, which are those of antialiased edges. The bands of a gradient, which is in the backdrop if there is one, have more. */
const rareShare = 0.01
/** How far a frequent colour may move, as the square of steps of 255: by one in each channel. */
const frequentMoveMax = 3
/**
 * A colour may move the less the more pixels it has: the square of the steps, times the pixels, is no more than this. The
 * first of these with which 256 colours suffice is taken; one that fails is soon known to.
 */
const movements = [0, 64, 256, 1024, 4096, 16_384, 65_536]

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
  for (const movement of movements) {
    const palette = mergeColors(movement)
    if (palette) return palette
  }
  return undefined

  /** Undefined when 256 colours do not suffice. */
  function mergeColors(movement: number): Palette | undefined {
    const grid = new ColorGrid(fixed ?? [])
    const indexOf = new Uint8Array(values.length)
    for (let place = 0; place < byFrequency.length; place++) {
      const slot = byFrequency[place] as number
      const color = values[slot] as number
      const moveMax = place < frequent ? frequentMoveMax : squaredReach
      const near = grid.findNear(color, Math.min(moveMax, movement / (counts[slot] as number)))
      if (near < 0 && grid.isFull) return undefined
      indexOf[slot] = near < 0 ? grid.add(color) : near
    }
    return { palette: grid.colors, indexOf }
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
