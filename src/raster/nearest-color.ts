/**
 * The nearest one of some colours of a palette (0xAARRGGBB, signed), as one number because it is asked for by the hundred
 * thousand: read it by `placeOf` and `squaredStepsOf`.
 */
export function nearestColor(color: number, palette: Int32Array, from = 0, to = palette.length): number {
  let index = 0
  let least = none
  for (let place = from; place < to; place++) {
    const steps = squaredSteps(color, palette[place] as number)
    if (steps >= least) continue
    least = steps
    index = place
  }
  return (least << 8) | index
}

/** More than any distance of two colours. */
const none = 2 ** 19

/** The place in the palette. */
export function placeOf(nearest: number): number {
  return nearest & 255
}

/** The square of the distance of two colours, in steps of 255. */
export function squaredSteps(color: number, other: number): number {
  const alpha = (color >>> 24) - (other >>> 24)
  const red = ((color >> 16) & 255) - ((other >> 16) & 255)
  const green = ((color >> 8) & 255) - ((other >> 8) & 255)
  const blue = (color & 255) - (other & 255)
  return alpha * alpha + red * red + green * green + blue * blue
}

/** The square of the distance, as above. */
export function squaredStepsOf(nearest: number): number {
  return nearest >> 8
}
