import { fromOklch, mix, type Oklch, parseCssColor, type Rgb, toOklch } from '../../../lib/color.ts'
import { markOf, readable } from '../accent.ts'
import { backgroundColors, paleInkOn } from '../background/background-colors.ts'
import type { CardColors, Look, Scheme } from '../theme.ts'
import type { ColorValue, ThemeFile } from './theme-file.ts'

export interface FileColors extends CardColors {
  readonly scheme: Scheme
  /** A colour by its name in the file. */
  of(name: string): Rgb
}

/** The colours of a theme file for one look. A brand's background replaces the file's, with inks that can be read on it. */
export function colorsOf(
  {
    scheme: usual,
    colors: { light, dark, both, custom, contrast, ruleOpacity },
  }: Pick<ThemeFile, 'scheme' | 'colors'>,
  { accent, scheme: wanted, brandBackground }: Look,
): FileColors {
  const { color, second } = brandBackground ?? {}
  const own = color && backgroundColors(color, wanted, contrast)
  const scheme = own?.scheme ?? wanted ?? usual
  const values = { ...both, ...(scheme === 'light' ? light : dark), ...(own && custom) }
  const done = new Map<string, Rgb>(
    own
      ? [
          ['background', own.background],
          ['ink', own.ink],
          ['pale', own.paleInk],
        ]
      : [],
  )
  const { mark: markValue = '' } = values
  if (typeof markValue === 'object' && 'disc' in markValue) {
    const { mark, onMark } = markOf(accent.main, scheme === 'dark', markValue.disc)
    done.set('mark', mark).set('onMark', onMark)
  }
  function of(name: string): Rgb {
    const found = done.get(name)
    if (found !== undefined) return found
    const value = values[name] ?? usualColors[name]
    if (value === undefined) throw new RangeError(`The theme has no colour ${name}.`)
    const rgb = evaluated(value)
    done.set(name, rgb)
    return rgb
  }
  function evaluated(value: ColorValue): Rgb {
    if (typeof value === 'string') return parseCssColor(value) ?? of(value)
    if ('oklch' in value) return fromOklch(oklchOf(value.oklch))
    if ('brandOr' in value) return second ?? evaluated(value.brandOr)
    if ('mix' in value) return mix(of(value.mix[0]), of(value.mix[1]), value.mix[2])
    if ('pale' in value) return paleInkOn(of(value.on), of(value.pale))
    if ('disc' in value) return of('mark')
    const { from, lightness, on = 'background', contrast } = value
    const base = from === 'accent' ? accent.main : toOklch(of(from))
    const [min, max] = typeof lightness === 'number' ? [lightness, lightness] : (lightness ?? [0, 1])
    const moved = { ...base, l: Math.max(min, Math.min(max, base.l)) }
    return contrast === undefined ? fromOklch(moved) : readable(moved, of(on), contrast)
  }
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
    ...(ruleOpacity && { ruleOpacity: ruleOpacity[scheme] }),
  }
}

function oklchOf([l, c, h]: readonly [number, number, number]): Oklch {
  return { l, c, h }
}

const usualColors: Readonly<Record<string, ColorValue>> = {
  eyebrow: 'pale',
  author: 'ink',
  domain: 'pale',
  footer: 'pale',
  onMark: 'background',
  line: 'ink',
}
