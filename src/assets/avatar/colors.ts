import { fromOklch, parseHex, toHex, toOklch } from '../../lib/color.ts'
import { hashText } from '../../lib/hash-text.ts'
import { hexContrast, textColorOn } from '../text-color.ts'

/** Even steps of hue without muddy colours; white has a contrast of at least 5 on each. */
// biome-ignore format: a table
export const avatarPalette = [
  '#c2272d', '#bf4213', '#a24e10', '#8d5e00', '#686800', '#40731a',
  '#017b37', '#007a6b', '#007785', '#0075a3', '#1767d1', '#4747dd',
  '#7a40da', '#9531c5', '#ae249a', '#c41f5f', '#4f5f74', '#82326c',
] as const

const black = { r: 0, g: 0, b: 0 }
const minContrast = 4.5

/** Keeps the caller's colours, and chooses missing ones by the seed so that the letters are readable. */
export function avatarColors(seed: string, background?: string, color?: string) {
  const chosen =
    background ??
    readableBackground(avatarPalette[hashOf(seed) % avatarPalette.length] ?? avatarPalette[0], color)
  return { background: chosen, color: color ?? textColorOn(parseHex(chosen) ?? black) }
}

/** The palette's colour, or a tint of its hue where the caller's letters have too little contrast on it. */
function readableBackground(background: string, color: string | undefined): string {
  if (color === undefined || hexContrast(background, color) >= minContrast) return background
  const { c, h } = toOklch(parseHex(background) ?? black)
  const tints = [0.93, 0.97, 0.3, 0.2].map((l) => toHex(fromOklch({ l, c: Math.min(c, 0.06), h })))
  const tint = clearest(tints, color)
  // For a colour of middle lightness no tint may be enough; white or black always is.
  return hexContrast(tint, color) >= minContrast ? tint : clearest(['#ffffff', '#000000'], color)
}

function clearest(backgrounds: readonly string[], color: string): string {
  return backgrounds.reduce((best, next) =>
    hexContrast(next, color) > hexContrast(best, color) ? next : best,
  )
}

function hashOf(text: string): number {
  const hash = hashText(text)
  return (hash ^ (hash >>> 15)) >>> 0
}
