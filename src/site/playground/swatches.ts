import { palette } from '../../assets/badge/color-names.ts'
import { accentColors } from '../../assets/og/accent.ts'

/** A colour to choose by a click. */
export interface Swatch {
  readonly name: string
  /** The value of the parameter. */
  readonly value: string
  /** `#rrggbb`. */
  readonly color: string
}

const accents = [...accentColors].map(([name, color]) => ({ name, value: color.slice(1), color }))
const badgeColors = Object.entries(palette).map(([name, color]) => ({ name, value: name, color }))

/** The swatches of a parameter by its format; undefined for a parameter that is no colour, or has none chosen for it. */
export function swatchesOf(format: unknown): readonly Swatch[] | undefined {
  if (format === 'css-color') return accents
  return format === 'color-scale' ? badgeColors : undefined
}
