import { parseHex, toHex, toOklch, white } from '../../../lib/color.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import { opaqueMin, smallLogo } from './logo-outline.ts'

/** A colour counts if it covers this share of the logo: antialiased edges cover less. */
const shareMin = 0.03
/** Two colours that are nearer than this look alike, as a distance in OKLab. */
const distanceMin = 0.07

interface Group {
  /** The most frequent one. */
  readonly color: string
  readonly lab: Lab
  pixels: number
}

type Lab = readonly [l: number, a: number, b: number]

/** The colours that a logo shows as `#rrggbb`, those of the largest areas first. Colours that look alike are one. */
export function logoColors(logo: CardLogo, countMax: number): readonly string[] {
  const counts = [...countColors(logo)].sort(([, one], [, other]) => other - one)
  const groups: Group[] = []
  let total = 0
  for (const [color, pixels] of counts) {
    const lab = labOf(color)
    const alike = groups.find((group) => distance(group.lab, lab) < distanceMin)
    if (alike === undefined) groups.push({ color, lab, pixels })
    else alike.pixels += pixels
    total += pixels
  }
  return groups
    .filter(({ pixels }) => pixels >= total * shareMin)
    .sort((one, other) => other.pixels - one.pixels)
    .slice(0, countMax)
    .map(({ color }) => color)
}

/** How many pixels of a small drawing have each colour, `#rrggbb`. */
function countColors(logo: CardLogo): ReadonlyMap<string, number> {
  const { rgba } = smallLogo(logo)
  const counts = new Map<string, number>()
  for (let at = 0; at < rgba.length; at += 4) {
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
