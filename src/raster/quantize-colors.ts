import { type Bitmap, rowBytes } from './bitmap.ts'
import { bringIn, numbersOf } from './pixel-canvas.ts'

/** Colours are counted in cells of 8 steps a channel. */
const bits = 5
const cellCount = 1 << (3 * bits)

/**
 * An opaque bitmap in at most `colorsMax` colours (2 to 256), from dark to light, chosen by median cut: three bytes a colour, and
 * numbered rows, which are valid until there is another canvas. Pixels between two colours alternate in a fixed pattern of cells,
 * so that slow gradients show no edges.
 */
export function quantizeColors(bitmap: Bitmap, colorsMax: number, cellPx = 1) {
  if (bitmap.channels !== 3) throw new RangeError('only opaque bitmaps are quantized')
  bringIn(bitmap)
  const palette = cutByMedian(countCells(bitmap), colorsMax).toSorted((a, b) => lightness(a) - lightness(b))
  return { colors: Uint8Array.from(palette.flat()), rows: mapPixels(bitmap, palette, cellPx) }
}

function lightness([red, green, blue]: Color): number {
  return 2 * red + 5 * green + blue
}

function countCells({ widthPx, heightPx, rows }: Bitmap): WeightedColors {
  const counts = new Uint32Array(cellCount)
  const reds = new Float64Array(cellCount)
  const greens = new Float64Array(cellCount)
  const blues = new Float64Array(cellCount)
  const stride = rowBytes(widthPx, 3)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0, at = y * stride + 1; x < widthPx; x++, at += 3) {
      const red = rows[at] as number
      const green = rows[at + 1] as number
      const blue = rows[at + 2] as number
      const cell = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3)
      counts[cell] = (counts[cell] as number) + 1
      reds[cell] = (reds[cell] as number) + red
      greens[cell] = (greens[cell] as number) + green
      blues[cell] = (blues[cell] as number) + blue
    }
  const cells: number[] = []
  for (let cell = 0; cell < cellCount; cell++) if (counts[cell] !== 0) cells.push(cell)
  function meansOf(sums: Float64Array): Float64Array {
    return Float64Array.from(cells, (cell) => (sums[cell] as number) / (counts[cell] as number))
  }
  const weights = Float64Array.from(cells, (cell) => counts[cell] as number)
  return { weights, levels: [meansOf(reds), meansOf(greens), meansOf(blues)] }
}

/** The threshold of a pixel in a 4 by 4 pattern, from -7.5 to 7.5. */
const pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((place) => place - 7.5)
/** The most steps of 255 that the pattern moves a pixel: half the distance of neighbours in a full palette. */
const reach = 4

function mapPixels({ widthPx, heightPx, rows }: Bitmap, palette: readonly Color[], cellPx: number) {
  const stride = rowBytes(widthPx, 1)
  const bytesPerRow = rowBytes(widthPx, 3)
  const out = numbersOf({ widthPx, heightPx })
  const nearest = new Int16Array(cellCount).fill(-1)
  const columns = Uint8Array.from({ length: widthPx }, (_, x) => Math.floor(x / cellPx) & 3)
  for (let y = 0; y < heightPx; y++) {
    out[y * stride] = 0
    const patternRow = (Math.floor(y / cellPx) & 3) << 2
    for (let x = 0, at = y * bytesPerRow + 1, to = y * stride + 1; x < widthPx; x++, at += 3, to++) {
      const move = ((pattern[patternRow | (columns[x] as number)] as number) * reach) / 7.5
      const red = clamp((rows[at] as number) + move)
      const green = clamp((rows[at + 1] as number) + move)
      const blue = clamp((rows[at + 2] as number) + move)
      const cell = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3)
      let index = nearest[cell] as number
      if (index < 0) {
        index = nearestOf(palette, cell)
        nearest[cell] = index
      }
      out[to] = index
    }
  }
  return out
}

function clamp(value: number): number {
  return value < 0 ? 0 : Math.min(value, 255)
}

function nearestOf(palette: readonly Color[], cell: number): number {
  const red = ((cell >> 10) << 3) + 3.5
  const green = (((cell >> 5) & 31) << 3) + 3.5
  const blue = ((cell & 31) << 3) + 3.5
  let best = 0
  let least = Infinity
  for (let index = 0; index < palette.length; index++) {
    const [r, g, b] = palette[index] as Color
    const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + (b - blue) ** 2
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}

/** Colours by their level in each channel, and how much each of them counts. */
interface WeightedColors {
  readonly weights: Float64Array
  readonly levels: readonly [red: Float64Array, green: Float64Array, blue: Float64Array]
}

type Color = readonly [red: number, green: number, blue: number]

/** At most so many colours that stand for all others: boxes of neighbours are cut in two where they differ most. */
export function cutByMedian(colors: WeightedColors, colorsMax: number): readonly Color[] {
  const boxes = [boxOf([...colors.weights.keys()], colors)]
  while (boxes.length < colorsMax) {
    const cut = boxes.reduce((best, box) => (box.widest.spread > best.widest.spread ? box : best))
    const { values, mean } = cut.widest
    const low = cut.places.filter((place) => (values[place] as number) <= mean)
    const high = cut.places.filter((place) => (values[place] as number) > mean)
    if (low.length === 0 || high.length === 0) break
    boxes[boxes.indexOf(cut)] = boxOf(low, colors)
    boxes.push(boxOf(high, colors))
  }
  return boxes.map(({ color }) => color)
}

/** A box of colours, their mean, and the channel in which they differ most: by its `spread` over all of their weight. */
function boxOf(places: readonly number[], { weights, levels }: WeightedColors) {
  function channelOf(values: Float64Array) {
    let [weight, sum, spread] = [0, 0, 0]
    for (const place of places) {
      weight += weights[place] as number
      sum += (weights[place] as number) * (values[place] as number)
    }
    const mean = sum / weight
    for (const place of places) spread += (weights[place] as number) * ((values[place] as number) - mean) ** 2
    return { values, mean, spread }
  }
  const [red, green, blue] = [channelOf(levels[0]), channelOf(levels[1]), channelOf(levels[2])]
  const color: Color = [Math.round(red.mean), Math.round(green.mean), Math.round(blue.mean)]
  const widest = [red, green, blue].reduce((best, each) => (each.spread > best.spread ? each : best))
  return { places, color, widest }
}
