import { parseHex } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'
import { type TextColor, textColorOn } from '../text-color.ts'

export interface TextPaint {
  readonly color: TextColor
  /** The colour of the soft shadow under text. */
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts already has. */
  readonly fill: string
}

/** The colours of text on a background `#rrggbb`. Asked several times for each badge, where an LRU cache would be felt. */
export const textPaint = memo((background: string): TextPaint => {
  const color = textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })
  if (color === '#ffffff') return { color, shadow: '#010101', fill: '' }
  return { color, shadow: '#ccc', fill: ` fill="${color}"` }
}, 1000)
