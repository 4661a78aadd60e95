import {
  contrastRatio,
  fromOklch,
  isTranslucentColor,
  mix,
  type Oklch,
  parseCssColor,
  type Rgb,
  toOklch,
  white,
} from '../../../lib/color.ts'
import { type Accent, isMuddyInTheDark, markOf, readable, shade } from '../accent.ts'
import { type BackgroundColors, backgroundColors, paleInkOn } from '../background/background-colors.ts'
import { type CardColors, type Look, type Scheme, schemeOf, type TextColors } from '../theme.ts'
import type { PatternColors } from '../tile-pattern.ts'
import { type ColorValue, type ThemeFile, usualLook } from './theme-file.ts'

export interface FileColors extends CardColors {
  readonly scheme: Scheme
  of(name: string): Rgb
  /** Two colours for figures, where the brand has some. */
  readonly loud?: readonly Rgb[] | undefined
  /**
   * The share of its colour that a drawing keeps, 1 to 0; the rest is background, so that texts can be read on it. `of` and `loud`
   * are already faded in `readableColors`; patterns fade what they colour themselves.
   */
  readonly strength: number
}

type ColorLook = Pick<Look, 'accent' | 'scheme' | 'brandBackground'>

/** The colours of a theme file for one look. A brand's background replaces the file's, with inks that can be read on it. */
export function colorsOf(file: Pick<ThemeFile, 'scheme' | 'colors'>, look: ColorLook): FileColors {
  const { scheme, of, loud } = namedColors(file, look)
  const opacity = file.colors?.ruleOpacity?.[scheme]
  return {
    scheme,
    of,
    background: of('background'),
    ink: of('ink'),
    paleInk: of('pale'),
    eyebrow: of('eyebrow'),
    author: of('author'),
    domain: of('domain'),
    footer: of('footer'),
    mark: of('mark'),
    onMark: of('onMark'),
    rule: of('line'),
    ...(opacity !== undefined && { ruleOpacity: opacity }),
    loud,
    strength: 1,
  }
}

/** The colours of a file by their names, each made when it is asked for. */
export function namedColors(
  { scheme: usual = 'light', colors = {} }: Pick<ThemeFile, 'scheme' | 'colors'>,
  { accent, scheme: wanted, brandBackground }: ColorLook,
): Pick<FileColors, 'scheme' | 'of' | 'loud'> {
  const { light, dark, both, custom, contrast, palette } = colors
  const { color, second } = brandBackground ?? {}
  const print = palette && printColors(accent, wanted, brandBackground)
  const own = print ?? (color && backgroundColors(color, wanted, contrast))
  const scheme = print ? schemeOf(print) : own && 'scheme' in own ? own.scheme : (wanted ?? usual)
  const isOnBrand = color !== undefined && own !== undefined
  const values: Readonly<Record<string, ColorValue>> = {
    ...both,
    ...(scheme === 'light' ? light : dark),
    ...(isOnBrand && custom),
  }
  const done = new Map<string, Rgb>([
    ['accent', fromOklch(accent.main)],
    ['accent2', fromOklch(accent.second)],
    ['accent3', fromOklch(accent.third)],
  ])
  if (own)
    for (const [name, rgb] of [
      ['background', own.background],
      ['ink', own.ink],
      ['pale', own.paleInk],
    ] as const)
      if (isOnBrand || !Object.hasOwn(values, name)) done.set(name, rgb)
  if (print) done.set('deep', print.deep).set('dark', print.dark).set('cream', print.pale)
  const { mark: markValue = usualLook.colors.both['mark'] } = values
  if (typeof markValue === 'object' && markValue.disc !== undefined) {
    const { mark, onMark } = markOf(accent.main, scheme === 'dark', markValue.disc)
    done.set('mark', mark).set('onMark', onMark)
  }
  const opened = new Set<string>()
  /** @throws RangeError with the end of a sentence about the colour. */
  function of(name: string): Rgb {
    const found = done.get(name)
    if (found !== undefined) return found
    if (opened.has(name)) throw new RangeError(`is made of ${name}, which is made of itself`)
    const source = [values, usualLook.colors[scheme], usualLook.colors.both].find((each) =>
      Object.hasOwn(each, name),
    )
    opened.add(name)
    try {
      const rgb = source === undefined ? parseColor(name) : evaluated(Reflect.get(source, name))
      if (rgb === undefined)
        throw new RangeError(`must be an opaque CSS colour or the name of one of the theme, not ${name}`)
      done.set(name, rgb)
      return rgb
    } finally {
      opened.delete(name)
    }
  }
  function evaluated(value: ColorValue): Rgb {
    if (typeof value === 'string') return of(value)
    const { from, lightness, contrast, on = 'background', mix: mixed, pale, second: isSecond } = value
    if (isSecond && second) return second
    if (mixed !== undefined) return mix(of(mixed[0]), of(mixed[1]), mixed[2])
    if (pale !== undefined) return paleInkOn(of(on), of(pale))
    if (from === undefined) return of('mark')
    const base = from === 'accent' ? accent.main : toOklch(evaluated(from))
    const [min, max] = typeof lightness === 'number' ? [lightness, lightness] : (lightness ?? [0, 1])
    const moved = { ...base, l: Math.max(min, Math.min(max, base.l)) }
    return contrast === undefined ? fromOklch(moved) : readable(moved, of(on), contrast)
  }
  return { scheme, of, loud: print?.loud }
}

/** An opaque CSS colour, or `oklch(L C H)` with the lightness from 0 to 1. */
export function parseColor(text: string): Rgb | undefined {
  const [, l, c, h] = /^oklch\(([\d.]{1,9}) ([\d.]{1,9}) ([\d.]{1,9})\)$/.exec(text) ?? []
  if (l === undefined) return isTranslucentColor(text) ? undefined : parseCssColor(text)
  return fromOklch({ l: Number(l), c: Number(c), h: Number(h) })
}

/** A print in few colours: the accent as the paper without a scheme, else the accent on paper or on black. */
export interface PrintColors extends PatternColors, TextColors {}

const black: Rgb = { r: 22, g: 18, b: 13 }
const cream: Rgb = { r: 255, g: 248, b: 236 }

export function printColors(
  accent: Accent,
  scheme: Scheme | undefined,
  brandBackground: Look['brandBackground'],
): PrintColors {
  const { main } = accent
  if (brandBackground?.color !== undefined)
    return onCustomBackground(accent, backgroundColors(brandBackground.color, scheme), brandBackground.second)
  if (scheme === 'light') return onPaper(main)
  return scheme === 'dark' ? onBlack(main) : onAccent(main)
}

/** The pattern has the brand's colours and no others. */
function onCustomBackground(accent: Accent, colors: BackgroundColors, background2?: Rgb): PrintColors {
  const { background, ink, scheme } = colors
  const isLight = scheme === 'light'
  const other = background2 ?? fromOklch(accent.second)
  return {
    ...colors,
    deep: isLight ? mix(background, other, 0.6) : mix(mix(background, other, 0.6), white, 0.12),
    dark: isLight ? ink : mix(background, { r: 0, g: 0, b: 0 }, 0.55),
    pale: mix(background, white, isLight ? 0.7 : 0.88),
    loud: [fromOklch(accent.main), other],
  }
}

/** The background is lightened under black text, darkened under white, until the title is readable. */
function onAccent(main: Oklch): PrintColors {
  const isLight = main.l > 0.6
  const ink = isLight ? black : white
  const deep = shade(main, isLight ? 0.5 : 0.26, 0.95)
  const [start, step] = isLight ? [Math.max(main.l, 0.68), 0.01] : [Math.min(main.l, 0.5), -0.01]
  let l = start
  while (contrastRatio(shade(main, l), ink) < 7.15 && l > 0 && l < 1) l += step
  return inked(shade(main, l), ink, { deep, dark: isLight ? black : deep, pale: cream })
}

function onPaper(main: Oklch): PrintColors {
  const deep = shade(main, Math.min(0.7, Math.max(0.5, main.l)))
  const ink = shade(main, 0.2, 0.35)
  return inked(shade(main, 0.965, 0.12), ink, { deep, dark: ink, pale: shade(main, 0.88, 0.45) })
}

function onBlack(main: Oklch): PrintColors {
  const background = shade(main, 0.19, isMuddyInTheDark(main) ? 0.05 : 0.22)
  const deep = shade(main, Math.min(0.72, Math.max(0.52, main.l)))
  return inked(background, cream, { deep, dark: background, pale: cream })
}

function inked(background: Rgb, ink: Rgb, others: Omit<PatternColors, 'background'>): PrintColors {
  return { background, ink, paleInk: paleInkOn(background, ink), ...others }
}
