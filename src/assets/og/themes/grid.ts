import type { CardSize } from '../card-sizes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import json from './grid.json' with { type: 'json' }

/** Theme: a blueprint, with a fine grid over the whole card, corner marks and a domain in a face of machines. */
export const grid = themeOf(json, {
  patterns: 1,
  background({ size }, colors) {
    const { background, of } = colors
    const [fineColor, strongColor] = [of('fine'), of('strong')]
    return {
      color: background,
      body: [
        filled(background, wholeCard(size)),
        filled(fineColor, lines(size, 1)),
        filled(strongColor, lines(size, cellsPerBlock)),
        filled(colors.rule, corners(size)),
      ].join(''),
      logoBackgrounds: [background, fineColor, strongColor],
    }
  },
  sheet: { wide: 0.62 },
  isCovered: true,
})

const cellsPerBlock = 5

/** Fine lines, or every fifth of them. The first ones are off the edges, so that no cell is cut to a sliver. */
function lines({ widthPx, heightPx, shape, unit }: CardSize, every: number): string {
  const cellPx = (shape === 'wide' ? 24 : 27) * unit * every
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

/** Angles in the corners of the drawing, as on a sheet to be cut. */
function corners({ widthPx, heightPx, shape, unit }: CardSize): string {
  const [inset, long, thick] = (shape === 'wide' ? [40, 34, 4] : [44, 44, 5]).map((px) =>
    Math.round(px * unit),
  ) as [number, number, number]
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
