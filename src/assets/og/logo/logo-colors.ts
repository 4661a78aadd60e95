import { parseHex, toHex, toOklch, white } from '../../../lib/color.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import type { CardLogo, PixelsLogo, ShapesLogo } from '../brand/brand-images.ts'
import { drawnShapes, opaqueMin } from './logo-outline.ts'

/** Smaller areas are details. */
const shareMin = 0.03
/** Two colours that are nearer than this look alike, as a distance in OKLab. */
const distanceMin = 0.07
/** How many pixels of a picture are looked at, about. */
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

const cache = new WeakMap<CardLogo, readonly string[]>()

/** The colours that a logo shows as `#rrggbb`, those of the largest areas first. Colours that look alike are one. */
export function logoColors(logo: CardLogo, countMax: number): readonly string[] {
  const colors = cache.get(logo) ?? colorsOf(logo)
  cache.set(logo, colors)
  return colors.slice(0, countMax)
}

function colorsOf(logo: CardLogo): readonly string[] {
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
}

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
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4)
    if (alpha < opaqueMin) continue
    const share = 255 / alpha
    const color = toHex({ r: red * share, g: green * share, b: blue * share })
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
