import { parseHex } from '../../lib/color.ts'
import { type TextColor, textColorOn } from '../text-color.ts'

export interface TextPaint {
  readonly color: TextColor
  /** The colour of the soft shadow under text. */
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts already has. */
  readonly fill: string
}

// A plain map: it is asked several times for each badge, where an LRU cache would be felt.
const cache = new Map<string, TextPaint>()
const entriesMax = 1000

/** The colours of text on a background `#rrggbb`. */
export function textPaint(background: string): TextPaint {
  const cached = cache.get(background)
  if (cached) return cached
  if (cache.size >= entriesMax) cache.clear()
  const paint = paintOn(background)
  cache.set(background, paint)
  return paint
}

function paintOn(background: string): TextPaint {
  const color = textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })
  if (color === '#ffffff') return { color, shadow: '#010101', fill: '' }
  return { color, shadow: '#ccc', fill: ` fill="${color}"` }
}
