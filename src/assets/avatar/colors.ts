import { fromOklch, parseHex, toHex, toOklch } from '../../lib/color.ts'
import { hexContrast, textColorOn } from '../../lib/text-color.ts'

/** Even steps of hue that stay clear of mud; white reads on each with a contrast of at least 5. */
// biome-ignore format: a table
export const avatarPalette = [
  '#c2272d',
  '#bf4213',
  '#a24e10',
  '#8d5e00',
  '#686800',
  '#40731a',
  '#017b37',
  '#007a6b',
  '#007785',
  '#0075a3',
  '#1767d1',
  '#4747dd',
  '#7a40da',
  '#9531c5',
  '#ae249a',
  '#c41f5f',
  '#4f5f74',
  '#82326c',
] as const

export interface AvatarColors {
  readonly background: string
  readonly color: string
}

const black = { r: 0, g: 0, b: 0 }
const minContrast = 4.5

/** What the caller chose is kept; what is left to us is chosen by the seed so that the letters can be read. */
export function avatarColors(seed: string, background?: string, color?: string): AvatarColors {
  const ground =
    background ?? groundFor(avatarPalette[hash(seed) % avatarPalette.length] ?? avatarPalette[0], color)
  return { background: ground, color: color ?? textColorOn(parseHex(ground) ?? black) }
}

/** The palette's colour, or a pale one of its hue where the caller's letters are too dark for it. */
function groundFor(ground: string, color: string | undefined): string {
  if (color === undefined || hexContrast(ground, color) >= minContrast) return ground
  const { c, h } = toOklch(parseHex(ground) ?? black)
  const tints = [0.93, 0.97, 0.3, 0.2].map((l) => toHex(fromOklch({ l, c: Math.min(c, 0.06), h })))
  const tint = clearest(tints, color)
  // Against a colour of middling lightness no tint may do; white or black always does.
  return hexContrast(tint, color) >= minContrast ? tint : clearest(['#ffffff', '#000000'], color)
}

function clearest(grounds: readonly string[], color: string): string {
  return grounds.reduce((best, next) => (hexContrast(next, color) > hexContrast(best, color) ? next : best))
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
