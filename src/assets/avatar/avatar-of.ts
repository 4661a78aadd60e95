import { fromOklch, hexContrast, parseHex, textColorOn, toHex, toOklch } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'
import { hashText } from '../../lib/words.ts'
import { graphemesOf } from '../../text/graphemes.ts'
import { initials, joinInitials } from '../../text/initials.ts'
import palette from './palette.json' with { type: 'json' }
import type { AvatarQuery } from './query.ts'

export type Avatar = ReturnType<typeof avatarOf>

/** An avatar with every default filled in: equal avatars give equal bytes. Colours are `#rrggbb`. */
export function avatarOf(query: AvatarQuery) {
  const { name, size, style, lang, title, bold, uppercase, seed = name } = query
  const length = query.length === 'auto' ? undefined : Number(query.length)
  return {
    name,
    // Empty for a name without letters: then a silhouette is drawn.
    initials:
      query.initials === undefined
        ? initials(name, { uppercase, length, lang })
        : joinInitials(graphemesOf(query.initials), uppercase, lang),
    sizePx: size,
    style,
    // Chooses the figures of the style `shapes`, and ends ids.
    seed,
    shape: query.shape ?? (query.rounded === false ? ('square' as const) : ('circle' as const)),
    ...avatarColors(seed, chosen(query.background), chosen(query.color)),
    bold,
    // Letters are outlines, or text in the viewer's fonts.
    isText: query.text === 'text',
    fontScale: query['font-size'],
    lang,
    title,
  }
}

/** The avatar's facts, for callers that draw it themselves. */
export function avatarJson({ name, initials, background, color, sizePx, shape, style }: Avatar) {
  const contrast = Math.floor(hexContrast(background, color) * 100) / 100
  const glyph = style === 'shapes' ? 'shapes' : initials === '' ? 'person' : 'initials'
  return { kind: 'avatar', name, initials, glyph, background, color, contrast, size: sizePx, shape }
}

function chosen(color?: string) {
  return color === 'auto' ? undefined : color
}

/** Clear hues, none of them olive or brown; letters, white or nearly black, have a contrast of at least 5 on each. */
export const avatarPalette: readonly string[] = palette

const black = { r: 0, g: 0, b: 0 }
const minContrast = 4.5

/** Keeps the caller's colours, and chooses missing ones by the seed so that the letters are readable. */
export function avatarColors(seed: string, background?: string, color?: string) {
  const chosen =
    background ?? readableBackground(avatarPalette[hashOf(seed) % avatarPalette.length] ?? '', color)
  return { background: chosen, color: color ?? textColorIn(chosen) }
}

const textColorIn = memo((background: string) => textColorOn(parseHex(background) ?? black))

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

/** The other end of a gradient: a neighbouring hue on which the letters are as readable. */
export function gradientEnd(background: string, color: string): string {
  const { l, c, h } = toOklch(parseHex(background) ?? black)
  // Red and yellow turn towards pink: the other neighbours are brown and olive.
  const turned = h < 115 || h > 350 ? h - 36 : h + 42
  const step = (toOklch(parseHex(color) ?? black).l > l ? -1 : 1) * 0.02
  for (let lightness = l; lightness > 0 && lightness < 1; lightness += step) {
    const end = toHex(fromOklch({ l: lightness, c, h: (turned + 360) % 360 }))
    if (hexContrast(end, color) >= minContrast) return end
  }
  return background
}
