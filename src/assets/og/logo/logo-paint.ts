import {
  contrastRatio,
  mix,
  parseHex,
  type Rgb,
  relativeLuminance,
  toHex,
  toOklch,
  white,
} from '../../../lib/color.ts'
import { weakMemo } from '../../../lib/memo.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import type { CardLogo, PixelsLogo, ShapesLogo } from '../brand/brand-images.ts'
import { colorAt, drawnShapes, logoOutline, maskColor, opaqueMin } from './logo-outline.ts'

export interface LogoPaint {
  /** Instead of the one colour that the logo has. */
  readonly color?: Rgb
  /** Shapes lose their transparency. */
  readonly isOpaque?: boolean
  readonly plate?: Rgb
}

/** WCAG 2 asks this of graphics. */
export const logoContrastMin = 3
/** Share of the outline that must stand out; the eye bridges the rest. */
const outlineShareMin = 0.9

/** Keeps a logo readable: in its own colours where they are, else in the ink when it has a single colour, else on a plate. */
export function logoPaint(logo: CardLogo, backgrounds: readonly Rgb[], ink: Rgb): LogoPaint {
  if (logo.kind === 'shapes' && logo.singleColor !== undefined)
    return singleColorPaint(logo, backgrounds, ink)
  const isReadable = backgrounds.every((background) => outlineShare(logo, background) >= outlineShareMin)
  if (isReadable) return {}
  const isMask = logo.kind === 'pixels' && maskColor(logo) !== undefined
  return isMask && standsOut(ink, backgrounds) ? { color: ink } : { plate: plateFor(logo, ink) }
}

function standsOut(color: Rgb, backgrounds: readonly Rgb[]): boolean {
  return backgrounds.every((background) => contrastRatio(color, background) >= logoContrastMin)
}

/** The first background on which the logo can be read without a change, else the first of all. */
export function bestBackground(logo: CardLogo, backgrounds: readonly [Rgb, ...Rgb[]]): Rgb {
  return backgrounds.find((background) => outlineShare(logo, background) >= outlineShareMin) ?? backgrounds[0]
}

/** Share of the logo's outline that stands out from a background, 0 to 1; always 1 for a logo that fills its box. */
export function outlineShare(logo: CardLogo, background: Rgb): number {
  const { luminances, isBox } = logoOutline(logo)
  if (isBox) return 1
  const under = relativeLuminance(background) + 0.05
  const count = luminances.filter((luminance) => {
    const ratio = (luminance + 0.05) / under
    return ratio >= logoContrastMin || 1 / ratio >= logoContrastMin
  }).length
  return luminances.length === 0 ? 0 : count / luminances.length
}

function singleColorPaint(logo: ShapesLogo, backgrounds: readonly Rgb[], ink: Rgb): LogoPaint {
  const opacity = Math.max(...logo.shapes.map((shape) => shape.opacity ?? 1))
  function isReadable(color: Rgb) {
    return backgrounds.every(
      (background) => contrastRatio(mix(background, color, opacity), background) >= logoContrastMin,
    )
  }
  const own = parseHex(logo.singleColor ?? '')
  if (own !== undefined && isReadable(own)) return {}
  if (isReadable(ink)) return { color: ink }
  return standsOut(ink, backgrounds)
    ? { color: ink, isOpaque: true }
    : { isOpaque: true, plate: plateFor(logo, ink) }
}

/** White and nearly black look well on every card; a logo that has both needs a grey. */
const plates: readonly Rgb[] = [
  white,
  { r: 20, g: 22, b: 27 },
  ...Array.from({ length: 22 }, (_, index) => {
    const level = 252 - index * 12
    return { r: level, g: level, b: level }
  }),
]

/** The ink belongs to the card, so a plate of that colour does too. */
function plateFor(logo: CardLogo, ink: Rgb): Rgb {
  return outlineShare(logo, ink) >= outlineShareMin ? ink : bestPlate(logo)
}

const bestPlate = weakMemo((logo: CardLogo): Rgb => {
  const shares = plates.map((plate) => outlineShare(logo, plate))
  const enough = shares.findIndex((share) => share >= outlineShareMin)
  return plates[enough < 0 ? shares.indexOf(Math.max(...shares)) : enough] ?? white
})

/** Smaller areas are details. */
const shareMin = 0.03
/** Two colours that are nearer than this look alike, as a distance in OKLab. */
const distanceMin = 0.07
/** Pixels of a picture that are looked at, about. */
const samples = 2048

interface Group {
  /** The most frequent one. */
  readonly color: string
  readonly lab: Lab
  pixels: number
}

type Lab = readonly [l: number, a: number, b: number]
/** Number of pixels by colour, `#rrggbb`. */
type ColorCounts = ReadonlyMap<string, number>

/** The colours that a logo shows as `#rrggbb`, those of the largest areas first. Colours that look alike are one. */
export function logoColors(logo: CardLogo, countMax: number): readonly string[] {
  return colorsOf(logo).slice(0, countMax)
}

const colorsOf = weakMemo((logo: CardLogo): readonly string[] => {
  const counts = logo.kind === 'shapes' ? shapeColors(logo) : pixelColors(logo)
  const groups: Group[] = []
  let total = 0
  for (const [color, pixels] of [...counts].sort(([, one], [, other]) => other - one)) {
    const lab = labOf(color)
    const alike = groups.find((group) => distance(group.lab, lab) < distanceMin)
    if (alike === undefined) groups.push({ color, lab, pixels })
    else alike.pixels += pixels
    total += pixels
  }
  return groups
    .filter(({ pixels }) => pixels >= total * shareMin)
    .sort((one, other) => other.pixels - one.pixels)
    .map(({ color }) => color)
})

/** Fills of the shapes. The blends on their edges are no colours of the logo; of translucent shapes there are only blends. */
function shapeColors(logo: ShapesLogo): ColorCounts {
  const counts = countColors(drawnShapes(logo).rgba, 1)
  const fills = new Set(logo.shapes.map(({ fill }) => fill))
  const filled = [...counts].filter(([color]) => fills.has(color))
  return filled.length === 0 ? counts : new Map(filled)
}

/** Pixels are picked and not averaged, which would make blends. */
function pixelColors({ png }: PixelsLogo): ColorCounts {
  const { rgba } = decodePng(png)
  return countColors(rgba, Math.ceil(rgba.length / 4 / samples))
}

/** @param rgba premultiplied @param step looks at every so many pixels */
function countColors(rgba: Uint8Array, step: number): ColorCounts {
  const counts = new Map<string, number>()
  for (let at = 0; at < rgba.length; at += 4 * step) {
    if ((rgba[at + 3] ?? 0) < opaqueMin) continue
    const color = toHex(colorAt(rgba, at))
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  return counts
}

function labOf(color: string): Lab {
  const { l, c, h } = toOklch(parseHex(color) ?? white)
  const angle = (h * Math.PI) / 180
  return [l, c * Math.cos(angle), c * Math.sin(angle)]
}

function distance([l, a, b]: Lab, [otherL, otherA, otherB]: Lab): number {
  return Math.hypot(l - otherL, a - otherA, b - otherB)
}
