import { contrastRatio, parseHex, type Rgb, white } from '../lib/color.ts'

export type TextColor = '#ffffff' | '#1a1a1a' | '#000000'

const charcoal = { r: 26, g: 26, b: 26 }
const minContrast = 4.5

/** A text colour with a contrast of at least 4.5 on this background: white if possible, else the softest dark. */
export function textColorOn(background: Rgb): TextColor {
  if (contrastRatio(white, background) >= minContrast) return '#ffffff'
  return contrastRatio(charcoal, background) >= minContrast ? '#1a1a1a' : '#000000'
}

export function hexContrast(one: string, other: string): number {
  const [a, b] = [parseHex(one), parseHex(other)]
  return a && b ? contrastRatio(a, b) : 1
}
