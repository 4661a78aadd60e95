import { parseHex } from '../../lib/color.ts'
import { type Ink, inkOn } from '../../lib/ink.ts'

export interface BadgeInk {
  readonly color: Ink
  /** Of the soft shadow under text. */
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts has. */
  readonly fill: string
}

function dark(color: Ink): BadgeInk {
  return { color, shadow: '#ccc', fill: ` fill="${color}"` }
}
const inks: Readonly<Record<Ink, BadgeInk>> = {
  '#ffffff': { color: '#ffffff', shadow: '#010101', fill: '' },
  '#1a1a1a': dark('#1a1a1a'),
  '#000000': dark('#000000'),
}

const known = new Map<string, BadgeInk>()
const knownMax = 1000

/** How text stands on a background `#rrggbb`. */
export function badgeInk(background: string): BadgeInk {
  const cached = known.get(background)
  if (cached) return cached
  const ink = inks[inkOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })]
  if (known.size >= knownMax) known.clear()
  known.set(background, ink)
  return ink
}
