import { colorOf } from '../../assets/badge/color-names.ts'
import { cssColors } from '../../assets/badge/css-colors.ts'
import { type Rgb, toHex } from '../../lib/color.ts'

/**
 * Hex digits for a colour as shields.io reads it: its own words, which have the colours of our palette, the names and
 * functions of CSS, or hex digits. A colour is opaque here. Undefined for anything else.
 */
export function shieldsColor(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  const opaque = word.replace(/^(#[\da-f]{6})[\da-f]{2}$|^(#[\da-f]{3})[\da-f]$/, '$1$2')
  const css = ownWords.has(word) ? undefined : cssColors.get(word)
  return (css ?? colorOf(opaque) ?? colorFunction(word))?.replace('#', '')
}

/** The words that shields.io defines itself: they win over CSS, where `green` is another colour. */
const ownWords = new Set(
  [
    'brightgreen green yellowgreen yellow orange red blue grey lightgrey gray lightgray',
    'critical important success informational inactive',
  ].flatMap((line) => line.split(' ')),
)

/** `rgb(1, 2, 3)`, `hsl(120, 50%, 50%)` and their forms with an alpha channel, which is left out. */
function colorFunction(text: string): string | undefined {
  const [, name, inside = ''] = /^(rgb|hsl)a?\(([-\d.,%\s/a-z]{1,60})\)$/.exec(text) ?? []
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '')
  const numbers = parts.slice(0, 3).map((part) => Number.parseFloat(part))
  const [a = 0, b = 0, c = 0] = numbers
  if (name === undefined || numbers.length < 3 || numbers.some(Number.isNaN)) return undefined
  if (name === 'hsl') return toHex(fromHsl(a, b / 100, c / 100))
  const full = parts[0]?.endsWith('%') ? 100 : 255
  return toHex({ r: (a * 255) / full, g: (b * 255) / full, b: (c * 255) / full })
}

/** Hue in degrees; saturation and lightness from 0 to 1. */
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  function channel(offset: number): number {
    const turn = (((offset + hue / 30) % 12) + 12) % 12
    const amplitude = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}
