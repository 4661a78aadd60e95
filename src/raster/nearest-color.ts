/**
 * The nearest one of some colours of a palette (0xAARRGGBB, signed), as one number because it is asked for by the hundred
 * thousand: read it by `placeOf` and `stepsOf`.
 */
export function nearestColor(color: number, palette: Int32Array, from = 0, to = palette.length): number {
  const alpha = color >>> 24
  const red = (color >> 16) & 255
  const green = (color >> 8) & 255
  const blue = color & 255
  let index = 0
  let least = 256
  for (let place = from; place < to; place++) {
    const other = palette[place] as number
    const greenSteps = Math.abs(((other >> 8) & 255) - green)
    if (greenSteps >= least) continue
    const redSteps = Math.abs(((other >> 16) & 255) - red)
    const blueSteps = Math.abs((other & 255) - blue)
    const alphaSteps = Math.abs((other >>> 24) - alpha)
    const steps = Math.max(greenSteps, redSteps, blueSteps, alphaSteps)
    if (steps >= least) continue
    least = steps
    index = place
  }
  return least * 256 + index
}

/** The place in the palette. */
export function placeOf(nearest: number): number {
  return nearest & 255
}

/** How many steps of 255 the colour is away, in the channel that differs most; 256 when there was none to choose from. */
export function stepsOf(nearest: number): number {
  return nearest >> 8
}
