import { parseHex } from '../../lib/color.ts'
import { type TextColor, textColorOn } from '../text-color.ts'

export interface TextPaint {
  readonly color: TextColor
  /** The colour of the soft shadow under text. */
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts already has. */
  readonly fill: string
}

function dark(color: TextColor): TextPaint {
  return { color, shadow: '#ccc', fill: ` fill="${color}"` }
}
const paints: Readonly<Record<TextColor, TextPaint>> = {
  '#ffffff': { color: '#ffffff', shadow: '#010101', fill: '' },
  '#1a1a1a': dark('#1a1a1a'),
  '#000000': dark('#000000'),
}

const cache = new Map<string, TextPaint>()
const entriesMax = 1000

/** The colours of text on a background `#rrggbb`. */
export function textPaint(background: string): TextPaint {
  const cached = cache.get(background)
  if (cached) return cached
  const paint = paints[textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })]
  if (cache.size >= entriesMax) cache.clear()
  cache.set(background, paint)
  return paint
}
