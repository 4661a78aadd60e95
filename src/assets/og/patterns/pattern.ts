import { type Rgb, relativeLuminance } from '../../../lib/color.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import type { Boxes } from '../engine/contracts.ts'
import type { DrawnItem } from '../engine/theme-file.ts'
import { type Area, filled, rectangle } from '../shapes.ts'
import type { CardSize, InkFoot, Look } from '../theme.ts'

/** A part of a background: what is painted, and the colours that may then be seen in an area where others were. */
export interface Painted {
  readonly defs?: string
  readonly body: string
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

/** Fine lines over the whole card, and every fifth of them in the second colour. */
export const grid: Pattern = (
  { cell = 24, colors: [fine = 'line', strong = fine] = [] },
  { size, colors: { of } },
) => ({
  body: filled(of(fine), lines(size, cell)) + filled(of(strong), lines(size, cellsPerBlock * cell)),
  under: (_area, below) => [...below, of(fine), of(strong)],
})

const cellsPerBlock = 5

/** Lines whose first ones are off the edges, so that no cell is cut to a sliver. */
function lines({ widthPx, heightPx, unit }: CardSize, cell: number): string {
  const cellPx = cell * unit
  const thickPx = 1
  const [columns, rows] = [Math.ceil(widthPx / cellPx), Math.ceil(heightPx / cellPx)]
  const [left, top] = [
    ((widthPx - (columns - 1) * cellPx) / 2) | 0,
    ((heightPx - (rows - 1) * cellPx) / 2) | 0,
  ]
  return [
    ...Array.from({ length: columns }, (_, index) =>
      rectangle(left + Math.round(index * cellPx), 0, thickPx, heightPx),
    ),
    ...Array.from({ length: rows }, (_, index) =>
      rectangle(0, top + Math.round(index * cellPx), widthPx, thickPx),
    ),
  ].join('')
}

/** Angles in the corners of the card, as on a sheet to be cut. */
export const corners: Pattern = (
  { inset: insetAt = 40, length = 34, stroke = 4, colors: [name = 'line'] = [] },
  { size, colors },
) => {
  const { widthPx, heightPx, unit } = size
  const [inset = 0, long = 0, thick = 0] = [insetAt, length, stroke].map((px) => Math.round(px * unit))
  const color = colors.of(name)
  const d = [inset, widthPx - inset]
    .flatMap((x, column) =>
      [inset, heightPx - inset].map((y, row) => {
        const [left, top] = [column === 0 ? x : x - long, row === 0 ? y : y - thick]
        const upright = rectangle(column === 0 ? x : x - thick, row === 0 ? y : y - long, thick, long)
        return rectangle(left, top, long, thick) + upright
      }),
    )
    .join('')
  const isWithin = ({ x, y, width, height }: Area) =>
    Math.min(x, widthPx - x - width) >= inset + long || Math.min(y, heightPx - y - height) >= inset + long
  return { body: filled(color, d), under: (area, below) => (isWithin(area) ? below : [...below, color]) }
}
