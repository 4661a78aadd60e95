import { contrastRatio, fromOklch, type Oklch, parseHex, type Rgb, toHex, toOklch } from '../../lib/color.ts'
import { hashText } from '../../lib/words.ts'
import accents from './accents.json' with { type: 'json' }

/** The colours that a card is built on: themes take hue and chroma from here and set the lightness themselves. */
export interface Accent {
  /** Equal keys mean equal colours. */
  readonly key: string
  readonly main: Oklch
  /** Two companions that look well beside the main colour. */
  readonly second: Oklch
  readonly third: Oklch
}

/** Colour schemes chosen by eye: one scheme turned around the hue circle gives muddy colours in half of the places. */
const curated: readonly [Accent, ...Accent[]] = accents as [Accent, ...Accent[]]

export const accentColors: ReadonlyMap<string, string> = new Map(
  curated.map(({ key, main }) => [key, toHex(rounded(fromOklch(main)))]),
)

/** The accent for a card: the caller's own colour, else a curated one that the text chooses. */
export function chooseAccent(text: string, color?: string): Accent {
  const own = color === undefined ? undefined : parseHex(color)
  return own === undefined ? (curated[hashOf(text) % curated.length] ?? curated[0]) : accentOf(own)
}

/** Builds companions for any colour as the curated scheme of the nearest hue has them. */
export function accentOf(color: Rgb): Accent {
  const main = toOklch(color)
  const nearest = curated.reduce((best, next) =>
    turn(main, next.main) < turn(main, best.main) ? next : best,
  )
  const vividness = Math.min(1, main.c / nearest.main.c)
  function companion(of: Oklch): Oklch {
    return { l: of.l, c: of.c * vividness, h: (of.h + main.h - nearest.main.h + 360) % 360 }
  }
  return { key: toHex(color), main, second: companion(nearest.second), third: companion(nearest.third) }
}

/** The colour at another lightness, chroma kept as far as a screen can show it; `chroma` scales it. */
export function shade(color: Oklch, lightness: number, chroma = 1): Rgb {
  return fromOklch({ l: lightness, c: color.c * chroma, h: color.h })
}

/** True if a dark shade of the colour is olive or mud: hues from yellow to lime need a neutral ground in the dark. */
export function isMuddyInTheDark({ c, h }: Oklch): boolean {
  return c >= 0.04 && h > 75 && h < 135
}

/** A filled mark with letters on it: white ones, but dark ones on a light mark where a dark one would be muddy. */
export function markOf(main: Oklch, isDark: boolean, [min, max]: readonly [number, number]) {
  const isLight = isDark && isMuddyInTheDark(main)
  const onMark: Rgb = isLight ? { r: 14, g: 17, b: 22 } : { r: 255, g: 255, b: 255 }
  const lightness = isLight ? Math.max(0.8, main.l) : Math.max(min, Math.min(max, main.l))
  return { mark: readable({ ...main, l: lightness }, onMark, 4.6), onMark }
}

/** The nearest lightness at which the colour reaches the contrast with a background, searched away from the background. */
export function readable(color: Oklch, background: Rgb, ratio: number): Rgb {
  const towards = toOklch(background).l > 0.6 ? -1 : 1
  for (let l = color.l; l >= 0 && l <= 1; l += towards * 0.01) {
    const candidate = fromOklch({ ...color, l })
    if (contrastRatio(rounded(candidate), background) >= ratio) return rounded(candidate)
  }
  return towards < 0 ? { r: 0, g: 0, b: 0 } : { r: 255, g: 255, b: 255 }
}

export function hashOf(text: string): number {
  const start = hashText(text)
  const hash = Math.imul(start ^ (start >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

function turn(one: Oklch, other: Oklch): number {
  const degrees = Math.abs(one.h - other.h) % 360
  return Math.min(degrees, 360 - degrees)
}

function rounded({ r, g, b }: Rgb): Rgb {
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b) }
}
