import { contrastRatio, fromOklch, type Oklch, parseHex, type Rgb, toHex, toOklch } from '../../lib/color.ts'
import { hashText } from '../../lib/words.ts'

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
const curated: readonly [Accent, ...Accent[]] = [
  accent('lagoon', [0.65, 0.13, 205], [0.6, 0.18, 255], [0.64, 0.14, 165]),
  accent('forest', [0.6, 0.14, 157], [0.62, 0.12, 215], [0.72, 0.15, 128]),
  accent('iris', [0.57, 0.22, 292], [0.62, 0.22, 340], [0.6, 0.18, 262]),
  accent('ember', [0.68, 0.21, 36], [0.6, 0.21, 8], [0.77, 0.15, 75]),
  accent('ultramarine', [0.5, 0.25, 267], [0.64, 0.15, 228], [0.58, 0.22, 300]),
  accent('rose', [0.62, 0.21, 12], [0.7, 0.17, 48], [0.56, 0.2, 325]),
  accent('amber', [0.78, 0.16, 78], [0.68, 0.19, 45], [0.6, 0.19, 18]),
  accent('orchid', [0.6, 0.23, 328], [0.55, 0.21, 288], [0.66, 0.19, 12]),
  accent('sky', [0.68, 0.14, 236], [0.58, 0.19, 275], [0.72, 0.12, 195]),
  accent('leaf', [0.7, 0.17, 138], [0.66, 0.12, 182], [0.8, 0.15, 105]),
  accent('cobalt', [0.55, 0.2, 255], [0.62, 0.15, 220], [0.56, 0.22, 285]),
  accent('teal', [0.6, 0.11, 190], [0.62, 0.13, 225], [0.68, 0.13, 160]),
  accent('crimson', [0.55, 0.22, 22], [0.66, 0.18, 47], [0.52, 0.19, 345]),
  accent('plum', [0.48, 0.18, 318], [0.55, 0.2, 350], [0.52, 0.2, 285]),
  accent('violet', [0.55, 0.25, 302], [0.62, 0.22, 335], [0.6, 0.17, 265]),
  accent('coral', [0.7, 0.17, 28], [0.62, 0.2, 5], [0.78, 0.14, 65]),
  accent('tangerine', [0.74, 0.17, 58], [0.65, 0.21, 33], [0.8, 0.15, 85]),
  accent('jade', [0.62, 0.13, 170], [0.62, 0.12, 205], [0.7, 0.15, 145]),
  accent('moss', [0.58, 0.13, 128], [0.6, 0.12, 160], [0.74, 0.14, 105]),
  accent('steel', [0.56, 0.09, 245], [0.5, 0.12, 270], [0.66, 0.1, 215]),
  accent('fuchsia', [0.62, 0.25, 345], [0.56, 0.23, 312], [0.68, 0.19, 20]),
  accent('indigo', [0.46, 0.2, 278], [0.55, 0.2, 250], [0.55, 0.22, 310]),
  accent('brick', [0.54, 0.16, 34], [0.5, 0.14, 10], [0.68, 0.14, 62]),
  accent('ocean', [0.56, 0.12, 222], [0.5, 0.16, 255], [0.64, 0.11, 190]),
]

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

function accent(key: string, main: Triple, second: Triple, third: Triple): Accent {
  return { key, main: oklch(main), second: oklch(second), third: oklch(third) }
}

type Triple = readonly [l: number, c: number, h: number]

function oklch([l, c, h]: Triple): Oklch {
  return { l, c, h }
}

function turn(one: Oklch, other: Oklch): number {
  const degrees = Math.abs(one.h - other.h) % 360
  return Math.min(degrees, 360 - degrees)
}

function rounded({ r, g, b }: Rgb): Rgb {
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b) }
}
