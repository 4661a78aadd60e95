import type { CardSize } from '../card-sizes.ts'
import { type Area, filled, rectangle } from '../shapes.ts'
import type { Pattern } from './pattern.ts'

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
  const [inset, long, thick] = [insetAt, length, stroke].map((px) => Math.round(px * unit)) as [
    number,
    number,
    number,
  ]
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
