import { parseHex } from '../../lib/color.ts'
import { type TextColor, textColorOn } from '../../lib/text-color.ts'

export interface TextPaint {
  readonly color: TextColor
  /** Of the soft shadow under text. */
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts has. */
  readonly fill: string
}

function dark(color: TextColor): TextPaint {
  return { color, shadow: '#ccc', fill: ` fill="${color}"` }
}
const inks: Readonly<Record<TextColor, TextPaint>> = {
  '#ffffff': { color: '#ffffff', shadow: '#010101', fill: '' },
  '#1a1a1a': dark('#1a1a1a'),
  '#000000': dark('#000000'),
}

const known = new Map<string, TextPaint>()
const knownMax = 1000

/** How text stands on a background `#rrggbb`. */
export function textPaint(background: string): TextPaint {
  const cached = known.get(background)
  if (cached) return cached
  const ink = inks[textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })]
  if (known.size >= knownMax) known.clear()
  known.set(background, ink)
  return ink
}
