import type { Rgb } from '../../../lib/color.ts'
import { memo } from '../../../lib/memo.ts'
import { circle, ellipse, rectangle, ring } from '../shapes.ts'
import type { CardContext, Ornament } from './contracts.ts'

export const noOrnament: Ornament = { indentPx: () => 0, draw: () => {} }

const discRadius = 24
const discGap = 18

/** The author's initials on a disc; nothing for a name without any. */
export const disc: Ornament = {
  indentPx: ({ texts: { initials }, boxes: { unit } }) =>
    initials === undefined ? 0 : Math.round((2 * discRadius + discGap) * unit),
  draw(card, { x, centreY }) {
    const { boxes, colors } = card
    const radiusPx = Math.round(discRadius * boxes.unit)
    drawInitials(card, { fill: colors.mark, ink: colors.onMark }, x, centreY, radiusPx, boxes.unit)
  },
}

interface DiscColors {
  readonly fill: Rgb
  readonly ink: Rgb
}

/** A disc with the author's initials, which are for one of 24 px with a unit of 1; nothing for a name without any. */
function drawInitials(
  { canvas, texts: { initials } }: Pick<CardContext, 'canvas' | 'texts'>,
  { fill, ink }: DiscColors,
  x: number,
  centreY: number,
  radiusPx: number,
  unit: number,
): void {
  if (initials === undefined) return
  canvas.shape(discOf(radiusPx), x, centreY - radiusPx, 2 * radiusPx, fill)
  // One letter may be larger than two, and letters that stack or join need more room than their advance.
  const sizePx = initials.length > 2 ? 16 : initials.length > 1 ? 19 : 21
  const letters = canvas.line('initials', initials, Math.round(sizePx * unit), 2 * radiusPx - 8)
  canvas.label('initials', letters, x, centreY, 2 * radiusPx, ink, 'center')
}

const discOf = memo((radiusPx: number) => circle(radiusPx, radiusPx, radiusPx))

/** The author's face, or a disc with initials in its place. */
export function drawFace(
  card: Pick<CardContext, 'canvas' | 'texts'>,
  colors: DiscColors,
  x: number,
  centreY: number,
  diameterPx: number,
): void {
  const { canvas } = card
  if (canvas.face !== undefined) canvas.drawFace(canvas.face, x, centreY - diameterPx / 2, diameterPx)
  else drawInitials(card, colors, x, centreY, diameterPx / 2, diameterPx / (2 * discRadius))
}

const globeShape =
  ring(12, 12, 10.5, 1.8) +
  ellipse(12, 12, 5.3, 11) +
  ellipse(12, 12, 3.5, 9.9, true) +
  rectangle(1.5, 11.1, 21, 1.8)

export const globe: Ornament = {
  indentPx: ({ boxes }) => 36 * boxes.unit,
  draw({ canvas, colors, boxes: { unit } }, { x, centreY }) {
    canvas.shape(globeShape, x, centreY - 12 * unit, 24 * unit, colors.domain, undefined, unit)
  },
}

/** A dash before a name, as under a quotation. */
export const dash: Ornament = {
  indentPx: ({ boxes }) => Math.round(52 * boxes.unit),
  draw({ canvas, colors, boxes }, { x, centreY }) {
    const widthPx = Math.round(34 * boxes.unit)
    canvas.shape(rectangle(0, 0, widthPx, 3), x, centreY - 1.5, widthPx, colors.mark)
  },
}
