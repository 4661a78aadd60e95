import { type Rgb, relativeLuminance } from '../../../lib/color.ts'
import type { InkFoot } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import type { Boxes } from '../engine/contracts.ts'
import type { DrawnItem } from '../engine/theme-file.ts'
import type { Area } from '../shapes.ts'
import type { Look } from '../theme.ts'

/** A part of a background: what is painted, and the colours that may then be seen in an area where others were. */
export interface Painted {
  readonly defs?: string
  readonly body: string
  /** True if nothing below it is seen. */
  readonly coversCard?: boolean
  readonly inkFoot?: InkFoot
  under(area: Area, below: readonly Rgb[]): readonly Rgb[]
}

export interface PaintedOn {
  readonly size: CardSize
  readonly look: Look
  readonly colors: FileColors
  readonly boxes: Boxes
  /** The number of gradients that are painted before it. */
  readonly gradients: number
}

/** A drawing that numbers alone cannot say, by the name that theme files have for it. */
export type Pattern = (item: DrawnItem, place: PaintedOn) => Painted

/** The darkest and the lightest, which is all that the contrast of a text depends on. */
export function extremes(colors: readonly Rgb[]): readonly Rgb[] {
  if (colors.length < 3) return colors
  const sorted = colors.toSorted((one, other) => relativeLuminance(one) - relativeLuminance(other))
  return [sorted[0], sorted.at(-1)].filter((color) => color !== undefined)
}
