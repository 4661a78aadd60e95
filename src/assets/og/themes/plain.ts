import type { CardSize } from '../card-sizes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { filled, rectangle, wholeCard } from '../shapes.ts'
import json from './plain.json' with { type: 'json' }

/** Theme: logo and texts on one colour, with one mark of the accent: what a company ships. */
export const plain = themeOf(json, {
  patterns: 1,
  background: ({ size, align }, { background, mark }) => ({
    color: background,
    body: filled(background, wholeCard(size)) + filled(mark, tab(size, align === 'center')),
    logoBackgrounds: [background],
  }),
  sheet: { wide: 0.62, square: 0.58, tall: 0.6 },
})

/** The one mark of the accent: a tab at the top edge, above where the texts begin. */
function tab({ widthPx, shape, unit }: CardSize, isCentred: boolean): string {
  const [x, width, height] = shape === 'wide' ? [80 * unit, 88 * unit, 10 * unit] : [84, 112, 12]
  return rectangle(
    Math.round(isCentred ? (widthPx - width) / 2 : x),
    0,
    Math.round(width),
    Math.round(height),
  )
}
