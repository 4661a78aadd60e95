import { type Rgb, white } from '../../lib/color.ts'
import type { Canvas } from './canvas.ts'
import { circle } from './shapes.ts'
import type { CardWords } from './theme.ts'

interface BylineSpec {
  readonly x: number
  readonly centreY: number
  readonly maxWidthPx: number
  readonly color: Rgb
  /** Of the disc, on which white initials are readable. */
  readonly discColor: Rgb
}

const radiusPx = 24
const gapPx = 18
const disc = circle(radiusPx, radiusPx, radiusPx)

/** The author's name behind a disc with initials. */
export function drawByline(words: CardWords, canvas: Canvas, spec: BylineSpec): void {
  const { x, centreY } = spec
  if (words.author === undefined) return
  const indentPx = words.initials === undefined ? 0 : 2 * radiusPx + gapPx
  if (words.initials !== undefined) {
    canvas.shape(disc, x, centreY - radiusPx, 2 * radiusPx, spec.discColor)
    const letters = canvas.line('initials', words.initials, initialsPx(words.initials), 2 * radiusPx - 8)
    canvas.label('initials', letters, x, centreY, 2 * radiusPx, white, 'center')
  }
  const name = canvas.line('author', words.author, 27, spec.maxWidthPx - indentPx)
  canvas.label('author', name, x + indentPx, centreY, spec.maxWidthPx - indentPx, spec.color)
}

/** One letter may be larger than two, and letters that stack or join need more room than their advance. */
function initialsPx(initials: string): number {
  return initials.length > 2 ? 16 : initials.length > 1 ? 19 : 21
}
