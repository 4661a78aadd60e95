import type { Rgb } from '../../lib/color.ts'
import type { TextStyle } from '../../text/types.ts'
import type { Canvas, TextRole } from './canvas.ts'
import { circle } from './shapes.ts'
import type { CardWords } from './theme.ts'

export interface BylineSpec {
  readonly x: number
  readonly centreY: number
  readonly maxWidthPx: number
  readonly sizePx: number
  readonly styles: Readonly<Record<TextRole, TextStyle>>
  readonly color: Rgb
  readonly discColor: Rgb
  readonly initialsColor: Rgb
}

const radiusPx = 24
const gapPx = 18
const disc = circle(radiusPx, radiusPx, radiusPx)

/** The author's name behind a disc with initials. */
export function drawByline(words: CardWords, canvas: Canvas, spec: BylineSpec): void {
  const { x, centreY, sizePx, styles } = spec
  if (words.author === undefined) return
  const indentPx = words.initials === undefined ? 0 : 2 * radiusPx + gapPx
  if (words.initials !== undefined) {
    canvas.shape(disc, x, centreY - radiusPx, 2 * radiusPx, spec.discColor)
    const letters = canvas.line(words.initials, styles.initials, initialsPx(words.initials), 2 * radiusPx - 8)
    canvas.label('initials', letters, x, centreY, 2 * radiusPx, spec.initialsColor, 'center')
  }
  const name = canvas.line(words.author, styles.author, sizePx, spec.maxWidthPx - indentPx)
  canvas.label('author', name, x + indentPx, centreY, spec.maxWidthPx - indentPx, spec.color)
}

/** One letter may be larger than two, and letters that stack or join need more room than their advance. */
function initialsPx(initials: string): number {
  return initials.length > 2 ? 16 : initials.length > 1 ? 19 : 21
}
