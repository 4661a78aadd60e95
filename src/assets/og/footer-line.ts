import type { FittedText } from '../../text/types.ts'
import type { Canvas } from './canvas.ts'

/** How much smaller a footer line may be set before it is cut. */
const smallerSize = 0.84

/** A brand's footer line: a little smaller where it is too wide, and only then cut. */
export function footerLine(canvas: Canvas, text: string, sizePx: number, maxWidthPx: number): FittedText {
  const usual = canvas.line('footer', text, sizePx, maxWidthPx)
  return usual.truncated ? canvas.line('footer', text, Math.round(sizePx * smallerSize), maxWidthPx) : usual
}
