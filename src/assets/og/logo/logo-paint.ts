import {
  contrastRatio,
  fromOklch,
  mix,
  parseHex,
  type Rgb,
  relativeLuminance,
  toHex,
  toOklch,
  white,
} from '../../../lib/color.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import type { CardLogo, ShapesLogo } from '../brand/brand-images.ts'
import {
  colorAt,
  drawnShapes,
  type Lab,
  labDistance,
  labOf,
  logoOutline,
  maskColor,
  opaqueMin,
} from './logo-outline.ts'

export interface LogoPaint {
  /** Instead of the one colour that the logo has. */
  readonly color?: Rgb
  readonly isOpaque?: boolean
  readonly plate?: Rgb
}

/** WCAG 2 asks this of graphics. */
export const logoContrastMin = 3
/** WCAG 2 asks this of text, and a small logo of one colour is read like a word. */
const smallContrastMin = 4.5
const smallPx = 60
/** Share of the outline that must stand out; the eye bridges the rest. */
const outlineShareMin = 0.9
/** A logo of several colours whose outline stands out less has a plate. */
export const plainShareMin = 0.6

/**
 * Keeps a logo readable: in its own colours where they are, else in the ink when it has a single colour, else on a plate.
 * `heightPx` is that of the logo on the card.
 */
export function logoPaint(
  logo: CardLogo,
  backgrounds: readonly Rgb[],
  ink: Rgb,
  heightPx: number,
): LogoPaint {
  const contrastMin = heightPx < smallPx ? smallContrastMin : logoContrastMin
  if (logo.kind === 'shapes' && logo.singleColor !== undefined)
    return singleColorPaint(logo, backgrounds, ink, contrastMin)
  const mask = logo.kind === 'pixels' ? maskColor(logo) : undefined
  if (mask !== undefined && standsOut(ink, backgrounds, logoContrastMin))
    return standsOut(mask, backgrounds, contrastMin) ? {} : { color: ink }
  // Over a picture nobody knows the colours between the extremes, so contrast alone counts there.
  const share = isCalm(backgrounds) ? visibleShare : outlineShare
  const isReadable = backgrounds.every((background) => share(logo, background) >= plainShareMin)
  return isReadable ? {} : { plate: plateFor(logo, backgrounds[0] ?? white) }
}

function standsOut(color: Rgb, backgrounds: readonly Rgb[], ratioMin: number): boolean {
  return backgrounds.every((background) => contrastRatio(color, background) >= ratioMin)
}

/** The first background on which the logo can be read without a change, else the first of all. */
export function bestBackground(logo: CardLogo, backgrounds: readonly [Rgb, ...Rgb[]]): Rgb {
  return backgrounds.find((background) => outlineShare(logo, background) >= outlineShareMin) ?? backgrounds[0]
}

/** Share of the logo's outline that stands out from a background, 0 to 1; always 1 for a logo that fills its box. */
export function outlineShare(logo: CardLogo, background: Rgb): number {
  return shareOf(logo, background, Number.POSITIVE_INFINITY)
}

/** A hue or chroma at least this far from the background's in OKLab is seen, whatever its contrast: an orange on white. */
const visibleDistanceMin = 0.13

/** True if the backgrounds are shades of one colour. */
function isCalm(backgrounds: readonly Rgb[]): boolean {
  const [first, ...others] = backgrounds.map(labOf)
  return others.every((other) => first === undefined || labDistance(first, other) < visibleDistanceMin)
}

/** Share of the outline that is seen on a background, by its contrast or its colour. */
export function visibleShare(logo: CardLogo, background: Rgb): number {
  return shareOf(logo, background, visibleDistanceMin)
}

function shareOf(logo: CardLogo, background: Rgb, distanceMin: number): number {
  const { luminances, labs, isBox } = logoOutline(logo)
  if (isBox) return 1
  const under = relativeLuminance(background) + 0.05
  const lab = labOf(background)
  const count = luminances.filter((luminance, index) => {
    const ratio = (luminance + 0.05) / under
    if (ratio >= logoContrastMin || 1 / ratio >= logoContrastMin) return true
    const [, a, b] = labs[index] ?? lab
    return Math.hypot(a - lab[1], b - lab[2]) >= distanceMin
  }).length
  return luminances.length === 0 ? 0 : count / luminances.length
}

function singleColorPaint(
  logo: ShapesLogo,
  backgrounds: readonly Rgb[],
  ink: Rgb,
  contrastMin: number,
): LogoPaint {
  const opacity = Math.max(...logo.shapes.map((shape) => shape.opacity ?? 1))
  function isReadable(color: Rgb, ratioMin: number) {
    return backgrounds.every(
      (background) => contrastRatio(mix(background, color, opacity), background) >= ratioMin,
    )
  }
  const own = parseHex(logo.singleColor ?? '')
  if (own !== undefined && isReadable(own, contrastMin)) return {}
  if (isReadable(ink, logoContrastMin)) return { color: ink }
  return standsOut(ink, backgrounds, logoContrastMin)
    ? { color: ink, isOpaque: true }
    : { isOpaque: true, plate: plateFor(logo, backgrounds[0] ?? white) }
}

/** Lightness of the plates that are tried, from white to nearly black. */
const plateLightness = Array.from({ length: 22 }, (_, index) => 1 - index * 0.04)
/** A plate has a hint of the card's colour. */
const plateChromaMax = 0.03

/** A plate in the card's own tone: the one nearest to the background that sets the logo off, else the one that does best. */
function plateFor(logo: CardLogo, background: Rgb): Rgb {
  const { l, c, h } = toOklch(background)
  const tones = plateLightness
    .toSorted((one, other) => Math.abs(one - l) - Math.abs(other - l))
    .map((lightness) => fromOklch({ l: lightness, c: Math.min(c, plateChromaMax), h }))
  const shares = tones.map((tone) => outlineShare(logo, tone))
  const enough = shares.findIndex((share) => share >= outlineShareMin)
  return tones[enough < 0 ? shares.indexOf(Math.max(...shares)) : enough] ?? white
}

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

/** The colours that a logo shows as `#rrggbb`, those of the largest areas first. Colours that look alike are one. */
export function logoColors(logo: CardLogo, countMax: number): readonly string[] {
  const { rgba } = logo.kind === 'shapes' ? drawnShapes(logo) : decodePng(logo.png)
  // Pixels are picked and not averaged, which would make blends.
  const all = [...countColors(rgba, logo.kind === 'shapes' ? 1 : Math.ceil(rgba.length / 4 / samples))]
  const fills = new Set(logo.kind === 'shapes' ? logo.shapes.map(({ fill }) => fill) : [])
  // The blends on the edges of shapes are no colours of the logo; of translucent shapes there are only blends.
  const filled = all.filter(([color]) => fills.has(color))
  const counts = filled.length === 0 ? all : filled
  const groups: Group[] = []
  let total = 0
  for (const [color, pixels] of counts.sort(([, one], [, other]) => other - one)) {
    const lab = labOf(parseHex(color) ?? white)
    const alike = groups.find((group) => labDistance(group.lab, lab) < distanceMin)
    if (alike === undefined) groups.push({ color, lab, pixels })
    else alike.pixels += pixels
    total += pixels
  }
  return groups
    .filter(({ pixels }) => pixels >= total * shareMin)
    .sort((one, other) => other.pixels - one.pixels)
    .map(({ color }) => color)
    .slice(0, countMax)
}

/** @param rgba premultiplied @param step looks at every so many pixels */
function countColors(rgba: Uint8Array, step: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at < rgba.length; at += 4 * step) {
    if ((rgba[at + 3] ?? 0) < opaqueMin) continue
    const color = toHex(colorAt(rgba, at))
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  return counts
}
