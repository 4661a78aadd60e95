import { colorOf } from '../../assets/badge/color-names.ts'
import { toHex } from '../../lib/color.ts'
import { parseCssColor } from '../../lib/css-color.ts'

/**
 * Hex digits for a colour as shields.io reads it: its own words, which have the colours of our palette, the names and
 * functions of CSS, or hex digits. A colour is opaque here. Undefined for anything else.
 */
export function shieldsColor(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  const css = ownWords.has(word) ? undefined : parseCssColor(word)
  return (css === undefined ? colorOf(word) : toHex(css))?.replace('#', '')
}

/** The words that shields.io defines itself: they win over CSS, where `green` is another colour. */
const ownWords = new Set(
  [
    'brightgreen green yellowgreen yellow orange red blue grey lightgrey gray lightgray',
    'critical important success informational inactive',
  ].flatMap((line) => line.split(' ')),
)
