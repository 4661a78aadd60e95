import type { FittedText } from '../../text/types.ts'
import type { Canvas } from './canvas.ts'

/** The smallest size of a footer line before it is cut, as a share of the usual size. */
const smallerSize = 0.84

/** A brand's footer line: a little smaller where it is too wide, and only then cut. */
export function footerLine(canvas: Canvas, text: string, sizePx: number, maxWidthPx: number): FittedText {
  const usual = canvas.line('footer', text, sizePx, maxWidthPx)
  return usual.truncated ? canvas.line('footer', text, Math.round(sizePx * smallerSize), maxWidthPx) : usual
}
