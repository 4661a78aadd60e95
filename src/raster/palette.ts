import type { PixelSize } from './bitmap.ts'
import { type BackedBitmap, bringIn, type ColorCounts, countColors, numberColors } from './pixel-canvas.ts'

export interface IndexedRows {
  /** Three bytes a colour, at most 256 of them. */
  readonly colors: Uint8Array
  /** One byte for each of the first colours; none when all are opaque. */
  readonly alphas?: Uint8Array
  /** One byte a pixel, behind the filter byte of each row. */
  readonly rows: Uint8Array
}

/** 256 colours where that does not show; a backdrop keeps its own. Undefined for photographs. Rows last until another canvas. */
export function indexColors(bitmap: BackedBitmap): IndexedRows | undefined {
  const { backdrop } = bitmap
  bringIn(bitmap)
  const counted = countColors(backdrop !== undefined)
  const chosen = counted && choosePalette(counted, bitmap, backdrop?.colors)
  if (!chosen) return undefined
  const { palette, indexOf } = chosen
  const isOpaque = palette.every((color) => color >>> 24 === 255)
  return {
    colors: Uint8Array.from(
      palette.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]),
    ),
    alphas: isOpaque ? new Uint8Array(0) : Uint8Array.from(palette, (color) => color >>> 24),
    rows: numberColors(bitmap, indexOf),
  }
}

/** Antialiased edges have rare colours, so large a share of the pixels. The bands of a gradient without a backdrop have more. */
const rareShare = 0.01
/** A frequent colour may move so far, as the square of steps of 255: by one in each channel. */
const frequentMoveMax = 3
/** The square of a colour's steps, times its pixels, is no more than the first of these with which 256 colours suffice. */
const movements = [0, 64, 256, 1024, 4096, 16_384, 65_536]

/** The `fixed` colours (0xAARRGGBB) and counted ones, rare ones moved to neighbours until 256 suffice. Undefined if that shows. */
function choosePalette({ values, counts }: ColorCounts, size: PixelSize, fixed?: Int32Array) {
  const byFrequency = Uint32Array.from(counts.keys()).sort(
    (a, b) => (counts[b] as number) - (counts[a] as number),
  )
  const rarePixels = size.widthPx * size.heightPx * rareShare
  const frequent = fixed ? 0 : countFrequent(byFrequency, counts, rarePixels)
  for (const movement of movements) {
    const palette = mergeColors(movement)
    if (palette) return palette
  }
  return undefined

  function mergeColors(movement: number) {
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

/** Counts all colours but the rare ones, which have so many pixels together. */
function countFrequent(byFrequency: Uint32Array, counts: Int32Array, rarePixels: number): number {
  let frequent = byFrequency.length
  for (let rest = rarePixels; frequent > 0; frequent--) {
    rest -= counts[byFrequency[frequent - 1] as number] as number
    if (rest < 0) break
  }
  return frequent
}

const colorsMax = 256
/** Cells of 16 steps in each channel, with an empty layer around them. */
const side = 18
const cellCount = side ** 3
const neighbours = Int32Array.from({ length: 27 }, (_, at) => {
  const [red, green, blue] = [Math.floor(at / 9) - 1, (Math.floor(at / 3) % 3) - 1, (at % 3) - 1]
  return (red * side + green) * side + blue
})

/** `findNear` looks so far, as the square of steps of 255: to the neighbours of a cell. */
const squaredReach = 256

/** A growing palette of at most 256 colours (0xAARRGGBB, signed), in which near ones are found without asking all. */
class ColorGrid {
  readonly #colors = new Int32Array(colorsMax)
  /** The latest place of each cell plus 1, and from each place to the one before it in its cell. */
  readonly #heads = new Int16Array(cellCount)
  readonly #next = new Int16Array(colorsMax)
  #size = 0

  constructor(colors: Iterable<number>) {
    for (const color of colors) this.add(color)
  }

  get colors(): readonly number[] {
    return [...this.#colors.subarray(0, this.#size)]
  }

  get isFull(): boolean {
    return this.#size === colorsMax
  }

  add(color: number): number {
    const place = this.#size++
    const cell = cellOf(color)
    this.#colors[place] = color
    this.#next[place] = this.#heads[cell] as number
    this.#heads[cell] = place + 1
    return place
  }

  /** The place of the nearest colour, -1 when none is within so many squared steps, at most `squaredReach`. */
  findNear(color: number, squaredMax: number): number {
    const heads = this.#heads
    const colors = this.#colors
    const next = this.#next
    const cell = cellOf(color)
    let nearest = -1
    let least = squaredMax + 1
    for (let i = 0; i < 27; i++)
      for (let at = heads[cell + (neighbours[i] as number)] as number; at > 0; at = next[at - 1] as number) {
        const steps = squaredSteps(color, colors[at - 1] as number)
        if (steps >= least) continue
        least = steps
        nearest = at - 1
      }
    return nearest
  }
}

function cellOf(color: number): number {
  const [red, green, blue] = [(color >> 20) & 15, (color >> 12) & 15, (color >> 4) & 15]
  return ((red + 1) * side + green + 1) * side + blue + 1
}

export function squaredSteps(color: number, other: number): number {
  const alpha = (color >>> 24) - (other >>> 24)
  const red = ((color >> 16) & 255) - ((other >> 16) & 255)
  const green = ((color >> 8) & 255) - ((other >> 8) & 255)
  const blue = (color & 255) - (other & 255)
  return alpha * alpha + red * red + green * green + blue * blue
}
