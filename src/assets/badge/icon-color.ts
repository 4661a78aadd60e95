import { contrastRatio, parseHex, type Rgb } from '../../lib/color.ts'
import type { IconLogo } from './badge.ts'

/**
 * The colour of an icon on a background whose text has `textColor`. Without one of its own it has the brand's if that is
 * readable there, else the text's.
 */
export function iconColor({ color, brandColor }: IconLogo, background: string, textColor: string): string {
  if (color !== undefined && color !== 'auto') return color
  return color === undefined && isReadable(brandColor, background, textColor) ? brandColor : textColor
}

/** Limits at which shields.io chooses between the brand's colour and a fixed one. */
const brightnessOnDarkMin = 0.4
const brightnessOnLightMax = 0.6

/** shields.io looks at the brand's colour alone, and draws marks that vanish on backgrounds of nearly their colour. */
const contrastMin = 1.5

function isReadable(brandColor: string, background: string, textColor: string): boolean {
  const [brand, under] = [parseHex(brandColor), parseHex(background)]
  if (brand === undefined || under === undefined) return false
  const isFarEnough =
    textColor === '#ffffff'
      ? brightness(brand) > brightnessOnDarkMin
      : brightness(brand) < brightnessOnLightMax
  return isFarEnough && contrastRatio(brand, under) >= contrastMin
}

/** From 0 to 1 in steps of a hundredth, as shields.io weighs the channels. */
function brightness({ r, g, b }: Rgb): number {
  return Math.round((r * 299 + g * 587 + b * 114) / 2550) / 100
}
