import { contrastRatio, mix, type Rgb, relativeLuminance, toHex } from '../../lib/color.ts'
import { idPrefix } from '../../raster/scene.ts'
import { shortNumber } from '../../svg/svg-values.ts'
import type { ContrastNeed } from './background/scrim.ts'
import type { CardSize } from './card-sizes.ts'
import { type Area, wholeCard } from './shapes.ts'

/** A soft light: an ellipse whose opacity falls smoothly from its centre to its edge. Lengths in px. */
export interface Glow {
  readonly cx: number
  readonly cy: number
  readonly rx: number
  readonly ry: number
  /** Degrees, clockwise. */
  readonly angle: number
  readonly color: Rgb
  /** Opacity at the centre, 0 to 1. */
  readonly peak: number
}

/** Opacity over distance as a share of the peak, falling without a visible core or rim. */
const falloff = [
  [0, 1],
  [0.2, 0.82],
  [0.4, 0.53],
  [0.6, 0.26],
  [0.8, 0.08],
  [1, 0],
] as const

/** Glows painted over the whole card, in order. The ids of their gradients are counted from 0. */
export function paintGlows(
  glows: readonly Glow[],
  size: CardSize,
): { readonly defs: string; readonly body: string } {
  const d = wholeCard(size)
  const paths = glows.map(
    ({ peak }, index) =>
      `<path fill="url(#${idPrefix}${index})" fill-opacity="${shortNumber(peak)}" d="${d}"/>`,
  )
  const gradients = glows.map((glow, index) => glowGradient(glow, `${idPrefix}${index}`))
  return { defs: gradients.join(''), body: paths.join('') }
}

/** The gradient as a paint server: the same stops for every glow, whatever its colour, so they compress to nothing. */
export function glowGradient(glow: Glow, id: string): string {
  const stops = falloff.map(([offset, share]) => {
    const opacity = share === 1 ? '' : ` stop-opacity="${shortNumber(share)}"`
    return `<stop offset="${shortNumber(offset)}" stop-color="currentColor"${opacity}/>`
  })
  const turn = glow.angle === 0 ? '' : `rotate(${shortNumber(glow.angle)})`
  const move = `translate(${shortNumber(glow.cx)} ${shortNumber(glow.cy)})${turn}scale(${shortNumber(glow.rx)} ${shortNumber(glow.ry)})`
  return `<radialGradient id="${id}" color="${toHex(glow.color)}" cx="0" cy="0" r="1" gradientUnits="userSpaceOnUse" gradientTransform="${move}">${stops.join('')}</radialGradient>`
}

/** The colour that shows at a point when the glows are painted in order on a plain background. */
export function litColor(background: Rgb, glows: readonly Glow[], x: number, y: number): Rgb {
  return glows.reduce((under, glow) => mix(under, glow.color, opacityAt(glow, x, y)), background)
}

function opacityAt(glow: Glow, x: number, y: number): number {
  const angle = (glow.angle * Math.PI) / 180
  const [dx, dy] = [x - glow.cx, y - glow.cy]
  const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / glow.rx
  const across = (dy * Math.cos(angle) - dx * Math.sin(angle)) / glow.ry
  const distance = Math.hypot(along, across)
  const next = falloff.findIndex(([offset]) => offset >= distance)
  const [to, from] = [falloff[next], falloff[next - 1]]
  if (to === undefined) return 0
  if (from === undefined) return glow.peak * to[1]
  return glow.peak * (from[1] + ((to[1] - from[1]) * (distance - from[0])) / (to[0] - from[0]))
}

/** Five colours of the lit background in an area, from the darkest to the lightest. */
export function litColors(background: Rgb, glows: readonly Glow[], area: Area): readonly Rgb[] {
  const { x, y, width, height } = area
  const steps = 6
  const colors = Array.from({ length: (steps + 1) ** 2 }, (_, index) => {
    const [column, row] = [index % (steps + 1), Math.floor(index / (steps + 1))]
    return litColor(background, glows, x + (width * column) / steps, y + (height * row) / steps)
  }).toSorted((one, other) => relativeLuminance(one) - relativeLuminance(other))
  return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => colors[share * (colors.length - 1)] ?? [])
}

/** Scales a glow to a card of other proportions: `from` is the card that it was placed on. */
export function stretched(glow: Glow, from: Extent, to: Extent): Glow {
  const [x, y] = [to.widthPx / from.widthPx, to.heightPx / from.heightPx]
  return { ...glow, cx: glow.cx * x, cy: glow.cy * y, rx: glow.rx * x, ry: glow.ry * y }
}

type Extent = Pick<CardSize, 'widthPx' | 'heightPx'>

/** The glows, dimmed until texts are readable wherever they may stand. */
export function readableGlows(
  glowsAt: (power: number) => readonly Glow[],
  background: Rgb,
  content: Area,
  needs: readonly ContrastNeed[],
): readonly Glow[] {
  for (let power = 1; power > 0.1; power -= 0.05) {
    const glows = glowsAt(power)
    if (isReadable(glows, background, content, needs)) return glows
  }
  return []
}

function isReadable(
  glows: readonly Glow[],
  background: Rgb,
  { x, y, width, height }: Area,
  needs: readonly ContrastNeed[],
): boolean {
  const steps = 12
  for (let column = 0; column <= steps; column++) {
    for (let row = 0; row <= steps; row++) {
      const under = litColor(background, glows, x + (width * column) / steps, y + (height * row) / steps)
      if (needs.some(({ color, ratio }) => contrastRatio(color, under) < ratio)) return false
    }
  }
  return true
}
