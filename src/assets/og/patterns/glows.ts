import {
  contrastRatio,
  fromOklch,
  mix,
  type Oklch,
  type Rgb,
  relativeLuminance,
  toHex,
  toOklch,
} from '../../../lib/color.ts'
import { idPrefix } from '../../../raster/scene.ts'
import { shortNumber } from '../../../svg/svg-values.ts'
import { type Accent, accentOf, shade } from '../accent.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import type { Light } from '../engine/theme-file.ts'
import { type Area, ellipse, wholeCard } from '../shapes.ts'
import { type CardSize, cardSizes, type Look, type Scheme } from '../theme.ts'
import { extremes, type PaintedOn, type Pattern } from './pattern.ts'

/** Soft lights, dimmed until texts can be read wherever they may stand. */
export const glows: Pattern = ({ lights = [], tint }, place) => {
  const { size, look, colors, boxes, gradients } = place
  const lit = readableGlows(lights, place)
  return {
    ...paintGlows(lit, size, gradients),
    under: (area, below) => extremes(below).flatMap((color) => litColors(color, lit, area)),
    ...(tint && {
      inkFoot: (top, bottom, codeTint) =>
        inkBelow(colors, accentIn(look).main, (foot, share) =>
          [boxes.content.x, size.widthPx / 2].every((x) => {
            // The light a little above, which is brighter, leaves room for what rasterisers round.
            const y = top + (bottom - top) * share - 8 * size.unit
            const under = mix(litColor(colors.background, lit, x, y), colors.ink, codeTint)
            return contrastRatio(mix(colors.ink, foot, share), under) >= 7.03 + 0.17 * share
          }),
        ),
    }),
  }
}

/** Lightness of glows in the colours of the accent. */
const lightnesses = {
  dark: { accent: 0.6, accent2: 0.54, accent3: 0.5 },
  light: { accent: 0.8, accent2: 0.83, accent3: 0.87 },
} as const

function accentIn({ accent, brandBackground }: Look): Accent {
  return brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
}

function glowsOf(lights: readonly Light[], { size, look, colors }: PaintedOn, power: number) {
  const { scheme, background } = colors
  const { main, second, third } = accentIn(look)
  const companions = new Map([['accent', main] as const, ['accent2', second], ['accent3', third]])
  const { shape, widthPx, heightPx } = size
  const from = Object.values(cardSizes).find((each) => each.shape === shape) ?? cardSizes.og
  const ground = toOklch(background)
  function colorOf(name: string): Rgb | undefined {
    const companion = companions.get(name)
    if (companion !== undefined)
      return shade(unmuddied(companion, ground, scheme), Reflect.get(lightnesses[scheme], name))
    if (name !== 'core') return colors.of(name)
    // A light that was muddy has its own hue in its middle alone.
    const isMuddied = unmuddied(main, ground, scheme) !== main
    return isMuddied && scheme === 'dark' && ground.c <= 0.05 ? shade(main, 0.8) : undefined
  }
  const short = Math.min(widthPx, heightPx)
  return lights.flatMap(({ at: [x, y], radii: [rx, ry], angle = 0, color: name, peak, middle }) => {
    const color = colorOf(name)
    if (color === undefined) return []
    // A light is placed on the first size of its shape, and scaled to this card; one with `middle` is in shares of the shorter side.
    const [toX, toY] = middle ? [short, short] : [widthPx / from.widthPx, heightPx / from.heightPx]
    const cx = middle ? widthPx / 2 + x * toX : x * toX
    return { cx, cy: y * toY, rx: rx * toX, ry: ry * toY, angle, color, peak: peak * power }
  })
}

/**
 * A soft light: an ellipse whose opacity falls smoothly from `peak` at its centre to its edge. Lengths in px, the angle in degrees,
 * clockwise.
 */
type Glow = ReturnType<typeof glowsOf>[number]

/** Opacity over distance as a share of the peak, falling without a visible core or rim. */
const falloff = [
  [0, 1],
  [0.2, 0.82],
  [0.4, 0.53],
  [0.6, 0.26],
  [0.8, 0.08],
  [1, 0],
] as const

/** Every glow has the same stops, whatever its colour, so they compress to nothing. */
const stops = falloff.map(([offset, share]) => {
  const opacity = share === 1 ? '' : ` stop-opacity="${shortNumber(share)}"`
  return `<stop offset="${shortNumber(offset)}" stop-color="currentColor"${opacity}/>`
})

/** Glows painted over the whole card, in order. The ids of their gradients are counted from `first`. */
function paintGlows(glows: readonly Glow[], size: CardSize, first: number) {
  const d = wholeCard(size)
  const painted = glows.map(({ cx, cy, rx, ry, angle, color, peak }, index) => {
    const id = `${idPrefix}${first + index}`
    const turn = angle === 0 ? '' : `rotate(${shortNumber(angle)})`
    const move = `translate(${shortNumber(cx)} ${shortNumber(cy)})${turn}scale(${shortNumber(rx)} ${shortNumber(ry)})`
    return {
      gradient: `<radialGradient id="${id}" color="${toHex(color)}" cx="0" cy="0" r="1" gradientUnits="userSpaceOnUse" gradientTransform="${move}">${stops.join('')}</radialGradient>`,
      path: `<path fill="url(#${id})" fill-opacity="${shortNumber(peak)}" d="${d}"/>`,
    }
  })
  return {
    defs: painted.map(({ gradient }) => gradient).join(''),
    body: painted.map(({ path }) => path).join(''),
  }
}

/** The colour that shows at a point when the glows are painted in order on a plain background. */
function litColor(background: Rgb, glows: readonly Glow[], x: number, y: number): Rgb {
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

/** Points on both edges of an area and between them, row by row. */
function gridIn({ x, y, width, height }: Area, steps: number): readonly (readonly [x: number, y: number])[] {
  return Array.from({ length: (steps + 1) ** 2 }, (_, index) => {
    const [column, row] = [index % (steps + 1), Math.floor(index / (steps + 1))]
    return [x + (width * column) / steps, y + (height * row) / steps]
  })
}

/** Five colours of the lit background in an area, from the darkest to the lightest. */
function litColors(background: Rgb, glows: readonly Glow[], area: Area): readonly Rgb[] {
  const colors = gridIn(area, 6)
    .map(([x, y]) => litColor(background, glows, x, y))
    .toSorted((one, other) => relativeLuminance(one) - relativeLuminance(other))
  return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => colors[share * (colors.length - 1)] ?? [])
}

function readableGlows(lights: readonly Light[], place: PaintedOn): readonly Glow[] {
  const { background, ink, paleInk, strength } = place.colors
  const points = gridIn(place.boxes.content, 12)
  for (let power = 1; power > 0.1; power -= 0.05) {
    const glows = glowsOf(lights, place, power * strength)
    const isReadable = points.every(([x, y]) => {
      const under = litColor(background, glows, x, y)
      return contrastRatio(paleInk, under) >= 4.6 && contrastRatio(ink, under) >= 7.1
    })
    if (isReadable) return glows
  }
  return []
}

/**
 * A light that keeps its colour where it fades. Yellow and lime fade into black as brown and olive, so they fade through
 * red and green; a hue far from that of a coloured background fades through grey, so it becomes a neighbour of that hue.
 */
function unmuddied(light: Oklch, background: Oklch, scheme: Scheme): Oklch {
  const isColored = background.c > (scheme === 'light' ? 0.012 : 0.05)
  const turn = ((light.h - background.h + 540) % 360) - 180
  if (isColored && Math.abs(turn) > 70) {
    // The neighbours of yellow are orange and olive.
    const isYellow = background.h > 50 && background.h < 115
    const side = isYellow ? -1 : Math.sign(turn)
    return { ...light, c: Math.max(light.c * 0.6, 0.1), h: (background.h + side * 24 + 360) % 360 }
  }
  if (scheme === 'light' || light.h < 55 || light.h > 135 || light.c < 0.04) return light
  return light.h < 108 ? { ...light, h: 28 + (light.h - 55) * 0.2 } : { ...light, h: 152 }
}

/** The shape of a picture: a moon beside the texts; above them a sky, which ends at the horizon. */
export function moon({ x, y, width, height }: Area, { widthPx, heightPx }: CardSize): string {
  if (x > 0) return ellipse(widthPx, heightPx / 2, width, heightPx * 0.76, true)
  return ellipse(widthPx / 2, y + height * 0.4, widthPx * 0.9, height * 0.6, true)
}

/** Heights at which the ink is looked at: near its top the light is brightest. */
const shares = [0.06, 0.12, 0.25, 0.5, 0.75, 1]

/** The accent as far from the ink as it can still be read as a title, below all of which the light is not the same. */
function inkBelow(
  { scheme, ink }: FileColors,
  { c, h }: Oklch,
  isReadable: (foot: Rgb, share: number) => boolean,
): Rgb {
  const [from, step] = scheme === 'dark' ? [0.7, 0.01] : [0.5, -0.01]
  for (let l = from; l > 0.2 && l < 1; l += step) {
    const foot = fromOklch({ l, c: Math.min(c, 0.09), h })
    if (shares.every((share) => isReadable(foot, share))) return foot
  }
  return ink
}
