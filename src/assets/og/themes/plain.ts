import { coverPicture } from '../background/cover-picture.ts'
import type { CardSize } from '../card-sizes.ts'
import { lowered } from '../engine/boxes.ts'
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
  /** The picture has the end of a wide card, and the head of the others. */
  picture(look, { background }, _boxes, picture, boxesOn) {
    const { size, direction } = look
    const { widthPx, heightPx, shape } = size
    const isWide = shape === 'wide'
    const sheet = isWide
      ? { ...size, widthPx: Math.round(widthPx * 0.62) }
      : { ...size, heightPx: Math.round(heightPx * (shape === 'tall' ? 0.6 : 0.58)) }
    const y = heightPx - sheet.heightPx
    const frame = isWide
      ? { x: sheet.widthPx, y: 0, width: widthPx - sheet.widthPx, height: heightPx }
      : { x: 0, y: 0, width: widthPx, height: y }
    return {
      color: background,
      body: filled(background, rectangle(0, y, sheet.widthPx, sheet.heightPx)),
      picture: coverPicture(picture, frame, widthPx, direction).picture,
      boxes: lowered(boxesOn(sheet), y),
      logoBackgrounds: [background],
    }
  },
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
