import { contrastRatio, fromOklch, mix, type Oklch, type Rgb, white } from '../../../lib/color.ts'
import { type Accent, isMuddyInTheDark, shade } from '../accent.ts'
import { type BackgroundColors, backgroundColors, paleInkOn } from '../background/background-colors.ts'
import type { BrandBackground } from '../background/brand-background.ts'
import type { Scheme, TextColors } from '../theme.ts'
import type { PatternColors } from '../tile-pattern.ts'

/** A print in few colours: the accent as the paper without a scheme, else the accent on paper or on black. */
export interface PrintColors extends PatternColors, TextColors {}

const black: Rgb = { r: 22, g: 18, b: 13 }
const cream: Rgb = { r: 255, g: 248, b: 236 }

export function printColors(
  accent: Accent,
  scheme: Scheme | undefined,
  brandBackground: BrandBackground | undefined,
): PrintColors {
  const { main } = accent
  if (brandBackground?.color !== undefined)
    return onCustomBackground(accent, backgroundColors(brandBackground.color, scheme), brandBackground.second)
  if (scheme === 'light') return onPaper(main)
  return scheme === 'dark' ? onBlack(main) : onAccent(main)
}

/** The pattern has the brand's colours and no others. */
function onCustomBackground(
  { main, second }: Accent,
  colors: BackgroundColors,
  background2: Rgb | undefined,
): PrintColors {
  const { background, ink, scheme } = colors
  const isLight = scheme === 'light'
  const other = background2 ?? fromOklch(second)
  return {
    ...colors,
    deep: isLight ? mix(background, other, 0.6) : mix(mix(background, other, 0.6), white, 0.12),
    dark: isLight ? ink : mix(background, { r: 0, g: 0, b: 0 }, 0.55),
    pale: mix(background, white, isLight ? 0.7 : 0.88),
    loud: [fromOklch(main), other],
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
