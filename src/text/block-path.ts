import { pair } from '../svg/write-path.ts'
import { emojiSquare } from './item-list.ts'
import type { FittedText } from './types.ts'

/** A picture in px from the top-left corner of its block. */
export interface PlacedEmoji {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly sidePx: number
}

/** A paragraph as one path in units of `scale` px, and its emoji. `atInk` puts ink, not the first advance, on the box's edge. */
export function blockPath(
  fitted: FittedText,
  align: 'start' | 'center' | 'end',
  boxWidthPx: number,
  atInk = false,
) {
  const scale = fitted.sizePx / 1000
  // The text grows by concatenation: the engine copies it once, when the whole document is encoded.
  let d = ''
  let [penX, penY] = [0, 0]
  const emoji: PlacedEmoji[] = []
  const atRight = (align === 'end') !== (fitted.direction === 'rtl') && align !== 'center'
  const code: { readonly x: number; readonly baseline: number; readonly width: number }[] = []
  for (const { widthPx, baselinePx, pieces, code: boxes, ink } of fitted.lines) {
    const freePx = Math.max(0, boxWidthPx - widthPx)
    const bearingPx = !atInk || align === 'center' ? 0 : atRight ? widthPx - ink.right : -ink.left
    const x = Math.floor(((align === 'center' ? freePx / 2 : atRight ? freePx : 0) + bearingPx) / scale)
    const y = Math.round(baselinePx / scale)
    for (const { xUnits, widthUnits } of boxes)
      code.push({ x: (x + xUnits) * scale, baseline: y * scale, width: widthUnits * scale })
    for (const piece of pieces) {
      if (piece.kind === 'outline') {
        const { body, startX, startY, endX, endY } = piece.path
        const left = x + piece.xUnits
        d += `m${pair(left + startX - penX, y + startY - penY)}${body}`
        penX = left + endX
        penY = y + endY
      } else {
        const { left, top, right } = emojiSquare
        emoji.push({
          name: piece.name,
          x: (x + piece.xUnits + left) * scale,
          y: (y + top) * scale,
          sidePx: (right - left) * scale,
        })
      }
    }
  }
  return { d, scale, emoji, code }
}
