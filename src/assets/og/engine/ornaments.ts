import type { Rgb } from '../../../lib/color.ts'
import { memo } from '../../../lib/memo.ts'
import type { Canvas } from '../canvas.ts'
import { circle, ellipse, rectangle, ring } from '../shapes.ts'
import type { CardColors, CardTexts } from '../theme.ts'

/** A mark before a label. */
export interface Ornament {
  /** The room that it takes before the text. */
  indentPx(texts: CardTexts, canvas: Canvas, unit: number): number
  /** The room that it takes after the text, in units. */
  readonly trail?: number
  /** Set where it is behind the text: the diameter of a face that fits on it, in units. A face takes the place of all others. */
  readonly facePx?: number
  /** Draws it at the start of its room. */
  draw(canvas: Canvas, texts: CardTexts, colors: CardColors, place: OrnamentPlace): void
}

export interface OrnamentPlace {
  readonly x: number
  readonly centreY: number
  /** The px of a length of the usual card. */
  readonly unit: number
  /** Width of the text behind it. */
  readonly textPx: number
}

export const noOrnament: Ornament = { indentPx: () => 0, draw: () => {} }

const discRadius = 24
const discGap = 18

/** The author's initials on a disc; nothing for a name without any. */
export const disc: Ornament = {
  indentPx: ({ initials }, _canvas, unit) =>
    initials === undefined ? 0 : Math.round((2 * discRadius + discGap) * unit),
  draw(canvas, texts, { mark, onMark }, { x, centreY, unit }) {
    drawInitials(canvas, texts, { fill: mark, ink: onMark }, x, centreY, Math.round(discRadius * unit), unit)
  },
}

/** A disc with the author's initials, which are for one of 24 px with a unit of 1; nothing for a name without any. */
function drawInitials(
  canvas: Canvas,
  { initials }: CardTexts,
  { fill, ink }: { readonly fill: Rgb; readonly ink: Rgb },
  x: number,
  centreY: number,
  radiusPx: number,
  unit: number,
): void {
  if (initials === undefined) return
  canvas.shape(discOf(radiusPx), x, centreY - radiusPx, 2 * radiusPx, fill)
  const letters = canvas.line('initials', initials, Math.round(initialsPx(initials) * unit), 2 * radiusPx - 8)
  canvas.label('initials', letters, x, centreY, 2 * radiusPx, ink, 'center')
}

/** The author's face, or a disc with initials in its place. */
export function drawFace(
  canvas: Canvas,
  texts: CardTexts,
  colors: { readonly fill: Rgb; readonly ink: Rgb },
  x: number,
  centreY: number,
  diameterPx: number,
): void {
  if (canvas.face !== undefined) canvas.drawFace(canvas.face, x, centreY - diameterPx / 2, diameterPx)
  else drawInitials(canvas, texts, colors, x, centreY, diameterPx / 2, diameterPx / (2 * discRadius))
}

/** One letter may be larger than two, and letters that stack or join need more room than their advance. */
function initialsPx(initials: string): number {
  return initials.length > 2 ? 16 : initials.length > 1 ? 19 : 21
}

/** There are two radii. */
const discOf = memo((radiusPx: number) => circle(radiusPx, radiusPx, radiusPx))

const globeShape =
  ring(12, 12, 10.5, 1.8) +
  ellipse(12, 12, 5.3, 11) +
  ellipse(12, 12, 3.5, 9.9, true) +
  rectangle(1.5, 11.1, 21, 1.8)

export const globe: Ornament = {
  indentPx: (_texts, _canvas, unit) => 36 * unit,
  draw(canvas, _texts, { domain }, { x, centreY, unit }) {
    canvas.shape(globeShape, x, centreY - 12 * unit, 24 * unit, domain, undefined, unit)
  },
}

/** A dash before a name, as under a quotation. */
export const dash: Ornament = {
  indentPx: (_texts, _canvas, unit) => Math.round(52 * unit),
  draw(canvas, _texts, { mark }, { x, centreY, unit }) {
    const widthPx = Math.round(34 * unit)
    canvas.shape(rectangle(0, 0, widthPx, 3), x, centreY - 1.5, widthPx, mark)
  },
}
