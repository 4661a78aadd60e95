/** Colours by their level in each channel, and how much each of them counts. */
export interface WeightedColors {
  readonly weights: Float64Array
  readonly levels: readonly [red: Float64Array, green: Float64Array, blue: Float64Array]
}

export type Color = readonly [red: number, green: number, blue: number]
type Channel = 0 | 1 | 2

interface ColorBox {
  /** Places in the weighted colours. */
  readonly places: readonly number[]
  readonly mean: Color
  /** The channel in which its colours differ most, and by how much they do, over all of their weight. */
  readonly channel: Channel
  readonly spread: number
}

/** At most so many colours that stand for all others: boxes of neighbours are cut in two where they differ most. */
export function cutByMedian(colors: WeightedColors, colorsMax: number): readonly Color[] {
  const boxes = [boxOf([...colors.weights.keys()], colors)]
  while (boxes.length < colorsMax) {
    const widest = boxes.reduce((best, box) => (box.spread > best.spread ? box : best))
    const [low, high] = halves(widest, colors)
    if (low.length === 0 || high.length === 0) break
    boxes[boxes.indexOf(widest)] = boxOf(low, colors)
    boxes.push(boxOf(high, colors))
  }
  return boxes.map(({ mean: [red, green, blue] }) => [Math.round(red), Math.round(green), Math.round(blue)])
}

function boxOf(places: readonly number[], colors: WeightedColors): ColorBox {
  const mean = meanOf(places, colors)
  const spreads = ([0, 1, 2] as const).map((channel) => spreadOf(places, colors, channel, mean[channel]))
  const spread = Math.max(...spreads)
  return { places, mean, channel: spreads.indexOf(spread) as Channel, spread }
}

function meanOf(
  places: readonly number[],
  { weights, levels: [reds, greens, blues] }: WeightedColors,
): Color {
  let [weight, red, green, blue] = [0, 0, 0, 0]
  for (const place of places) {
    const each = weights[place] as number
    weight += each
    red += each * (reds[place] as number)
    green += each * (greens[place] as number)
    blue += each * (blues[place] as number)
  }
  return [red / weight, green / weight, blue / weight]
}

function spreadOf(
  places: readonly number[],
  { weights, levels }: WeightedColors,
  channel: Channel,
  mean: number,
): number {
  let spread = 0
  for (const place of places)
    spread += (weights[place] as number) * ((levels[channel][place] as number) - mean) ** 2
  return spread
}

/** Colours up to the mean of the box in its channel, and those above; none above when all are equal. */
function halves({ places, channel, mean }: ColorBox, { levels }: WeightedColors) {
  const low: number[] = []
  const high: number[] = []
  for (const place of places) {
    const isLow = (levels[channel][place] as number) <= mean[channel]
    ;(isLow ? low : high).push(place)
  }
  return [low, high] as const
}
