/** The square of the distance of two colours (0xAARRGGBB, signed), in steps of 255. */
export function squaredSteps(color: number, other: number): number {
  const alpha = (color >>> 24) - (other >>> 24)
  const red = ((color >> 16) & 255) - ((other >> 16) & 255)
  const green = ((color >> 8) & 255) - ((other >> 8) & 255)
  const blue = (color & 255) - (other & 255)
  return alpha * alpha + red * red + green * green + blue * blue
}
