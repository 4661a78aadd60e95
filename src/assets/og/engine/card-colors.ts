import type { Rgb } from '../../../lib/color.ts'
import type { TextColors } from '../theme.ts'

/** A colour for each text of a card, and for the marks beside them. */
export interface CardColors extends TextColors {
  readonly background: Rgb
  readonly eyebrow: Rgb
  readonly author: Rgb
  readonly domain: Rgb
  readonly footer: Rgb
  /** Discs, dashes and slabs: `onMark` is readable on it. */
  readonly mark: Rgb
  readonly onMark: Rgb
  /** Lines above and below rows of labels. */
  readonly rule: Rgb
  readonly ruleOpacity?: number
}
