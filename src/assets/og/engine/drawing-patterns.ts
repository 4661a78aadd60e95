import type { CardSize } from '../card-sizes.ts'
import { filled, rectangle } from '../shapes.ts'
import type { FileColors } from './compile-colors.ts'
import type { PatternItem } from './theme-file.ts'

type Draw = (item: PatternItem, size: CardSize, colors: FileColors) => string

/** Drawings that numbers cannot say, by the name that theme files have for them. */
export const patterns: Readonly<Record<PatternItem['pattern'], Draw>> = {
  /** Fine lines, and every fifth of them. */
  grid: ({ cell = 24, colors: [fine = 'line', strong = fine] = [] }, size, { of }) =>
    filled(of(fine), lines(size, cell)) + filled(of(strong), lines(size, cellsPerBlock * cell)),
  /** Angles in the corners of the drawing, as on a sheet to be cut. */
  corners: ({ inset = 40, length = 34, stroke = 4, colors: [color = 'line'] = [] }, size, { of }) =>
    filled(of(color), corners(size, inset, length, stroke)),
}

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

function corners({ widthPx, heightPx, unit }: CardSize, ...lengths: readonly number[]): string {
  const [inset, long, thick] = lengths.map((px) => Math.round(px * unit)) as [number, number, number]
  return [inset, widthPx - inset]
    .flatMap((x, column) =>
      [inset, heightPx - inset].map((y, row) => {
        const [left, top] = [column === 0 ? x : x - long, row === 0 ? y : y - thick]
        const upright = rectangle(column === 0 ? x : x - thick, row === 0 ? y : y - long, thick, long)
        return rectangle(left, top, long, thick) + upright
      }),
    )
    .join('')
}
