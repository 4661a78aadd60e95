import { contrastRatio, fromOklch, parseHex, type Rgb, toHex, toOklch } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'
import { textColorOn } from '../text-color.ts'
import type { IconLogo } from './badge.ts'

export interface PartPaint {
  readonly background: string
  /** The colour of the text. */
  readonly color: string
  readonly shadow: string
  /** The `fill` attribute; empty for white, which the group of texts already has. */
  readonly fill: string
}

/** A colour `#rrggbb` as a background, with its text. Asked several times for each badge, where an LRU cache would be felt. */
export const fullPaint = memo((background: string): PartPaint => {
  const color = textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })
  if (color === '#ffffff') return { background, color, shadow: '#010101', fill: '' }
  return { background, color, shadow: '#ccc', fill: ` fill="${color}"` }
}, 1000)

const inkContrastMin = 4.6

/** A tint of a colour, and a dark shade of it that is readable on the tint. */
export const softPaint = memo((full: string): PartPaint => {
  const { c, h } = toOklch(parseHex(full) ?? { r: 0, g: 0, b: 0 })
  const background = fromOklch({ l: 0.93, c: Math.min(c, 0.05), h })
  let ink = fromOklch({ l: 0.44, c: Math.min(c, 0.13), h })
  for (let l = 0.42; contrastRatio(ink, background) < inkContrastMin && l > 0; l -= 0.02)
    ink = fromOklch({ l, c: Math.min(c, 0.13), h })
  const color = toHex(ink)
  return { background: toHex(background), color, shadow: color, fill: ` fill="${color}"` }
}, 1000)

/** The colour of an icon on a background: unless chosen, the brand's, made lighter or darker where that is hard to see. */
export function iconColor(
  { color, brandColor, keepsBrandColor = false }: IconLogo,
  background: string,
  textColor: string,
): string {
  if (color !== undefined) return color === 'auto' ? textColor : color
  if (keepsBrandColor) return isKeptByShields(brandColor, background, textColor) ? brandColor : textColor
  return visibleColor(`${brandColor} ${background} ${textColor}`)
}

/** WCAG 2 asks this of graphics. */
const contrastMin = 3
/** Below this a colour has no hue that anybody would miss. */
const chromaMin = 0.03

/** Brand, background and text colour in one key, because the same few icons are drawn again and again. */
const visibleColor = memo((key: string): string => {
  const [brandColor = '', background = '', textColor = ''] = key.split(' ')
  const [brand, under, text] = [parseHex(brandColor), parseHex(background), parseHex(textColor)]
  if (brand === undefined || under === undefined || text === undefined) return textColor
  if (contrastRatio(brand, under) >= contrastMin) return brandColor
  const { l, c, h } = toOklch(brand)
  if (c < chromaMin) return textColor
  const step = toOklch(text).l > toOklch(under).l ? 0.02 : -0.02
  for (let lightness = l; lightness > 0.1 && lightness < 0.96; lightness += step) {
    const shade = toHex(fromOklch({ l: lightness, c, h }))
    if (contrastRatio(parseHex(shade) ?? brand, under) >= contrastMin) return shade
  }
  return textColor
}, 1000)

/** Limits at which shields.io chooses between the brand's colour and a fixed one. */
const brightnessOnDarkMin = 0.4
const brightnessOnLightMax = 0.6

/** shields.io looks at the brand's colour alone, and draws marks that vanish on backgrounds of nearly their colour. */
const vanishingContrast = 1.5

function isKeptByShields(brandColor: string, background: string, textColor: string): boolean {
  const [brand, under] = [parseHex(brandColor), parseHex(background)]
  if (brand === undefined || under === undefined) return false
  const isFarEnough =
    textColor === '#ffffff'
      ? brightness(brand) > brightnessOnDarkMin
      : brightness(brand) < brightnessOnLightMax
  return isFarEnough && contrastRatio(brand, under) >= vanishingContrast
}

/** From 0 to 1 in steps of a hundredth, as shields.io weighs the channels. */
function brightness({ r, g, b }: Rgb): number {
  return Math.round((r * 299 + g * 587 + b * 114) / 2550) / 100
}
