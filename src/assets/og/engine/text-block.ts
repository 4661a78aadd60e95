import type { Rgb } from '../../../lib/color.ts'
import type { FittedText } from '../../../text/types.ts'
import { type Canvas, capital } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import type { Area } from '../shapes.ts'
import type { CardColors, CardTexts } from '../theme.ts'
import { fitTitleAndSubtitle, gapPxMin } from './fit-title.ts'
import type { Boxes } from './theme-contract.ts'

/** Fits eyebrow, title and subtitle together into the area and sets them, the title as large as they allow. */
export function drawTextBlock(
  texts: CardTexts,
  canvas: Canvas,
  area: Area,
  boxes: Boxes,
  size: CardSize,
  colors: CardColors,
): void {
  const eyebrow = fitEyebrow(texts, canvas, area, boxes)
  const headPx = eyebrow === undefined ? 0 : eyebrow.heightPx + eyebrow.gapPx
  const room = { width: area.width, height: area.height - headPx }
  const { title, subtitle } = fitTitleAndSubtitle(texts, canvas, room, boxes, size)
  const textPx = title.heightPx + (subtitle?.heightPx ?? 0)
  const gapPx =
    subtitle === undefined ? 0 : Math.min(gapPxMin(subtitle) + title.sizePx * 0.08, room.height - textPx)
  const { align } = boxes.text
  const top = blockTop(area, headPx, textPx + gapPx, boxes, eyebrow?.fitted ?? title, title, subtitle)
  if (eyebrow !== undefined) {
    const { ornament } = boxes.eyebrow
    const { fitted, indentPx } = eyebrow
    const centreY = top + (fitted?.heightPx ?? eyebrow.heightPx) / 2
    const widthPx = indentPx + (fitted?.widthPx ?? 0)
    const x = area.x + (align === 'center' && indentPx > 0 ? Math.max(0, area.width - widthPx) / 2 : 0)
    ornament.draw(canvas, texts, colors, {
      x,
      centreY,
      unit: boxes.unit,
      textPx: fitted?.widthPx ?? 0,
    })
    const width = x === area.x ? area.width - indentPx : widthPx - indentPx
    const place = { x: x + indentPx, y: top, width, height: eyebrow.heightPx }
    if (fitted !== undefined) canvas.text('eyebrow', fitted, place, colors.eyebrow, align)
  }
  const titleY = top + headPx
  const bottom = area.y + area.height
  canvas.text('title', title, { ...area, y: titleY, height: bottom - titleY }, colors.ink, align)
  const y = titleY + title.heightPx + gapPx
  if (subtitle !== undefined)
    drawSubtitle(subtitle, canvas, { ...area, y, height: bottom - y }, boxes, colors.paleInk)
  const block = { title, area: { ...area, y: titleY }, bottom: y + (subtitle?.heightPx ?? 0) }
  boxes.finish?.(canvas, block, colors)
}

function drawSubtitle(subtitle: FittedText, canvas: Canvas, area: Area, boxes: Boxes, color: Rgb): void {
  const { sign } = boxes.subtitle
  const { align } = boxes.text
  if (sign === undefined) {
    canvas.text('subtitle', subtitle, area, color, align)
    return
  }
  const { sizePx, lines } = subtitle
  const indentPx = sign.indent * sizePx
  const text = { ...area, x: area.x + indentPx, width: area.width - indentPx }
  canvas.text('subtitle', subtitle, text, color, align)
  const before = canvas.line('subtitle', sign.text, sizePx, indentPx)
  const baselinePx = before.lines[0]?.baselinePx ?? 0
  for (const line of lines) {
    const y = area.y + line.baselinePx - baselinePx
    canvas.text('sign', before, { x: area.x, y, width: indentPx, height: before.heightPx }, color, align)
  }
}

/**
 * How far ink may rise above a text that begins at the top of its area, as a share of its size: a short title that is
 * larger than its theme's largest size has no more room above.
 */
const ascent = 0.22

/** The top of the first line box. Line boxes hold air above and below, which centring must not count. */
function blockTop(
  area: Area,
  headPx: number,
  bodyPx: number,
  { text: { anchor }, title: { sizesPx } }: Boxes,
  first: FittedText,
  title: FittedText,
  subtitle: FittedText | undefined,
): number {
  const last = subtitle ?? title
  const firstBaseline = first.lines[0]?.baselinePx ?? 0
  const lastBaseline = last.lines.at(-1)?.baselinePx ?? last.heightPx
  const usualPx = Math.min(first.sizePx, sizesPx[0] ?? 0)
  const above = Math.max(0, firstBaseline - capital * first.sizePx)
  const below = Math.max(0, last.heightPx - lastBaseline)
  // Emoji and marks rise above the capitals.
  const aboveInk = firstBaseline + (first.lines[0]?.ink.top ?? 0)
  const freePx = area.height - headPx - bodyPx
  // An eyebrow above a title at the top of its area rises with it, so its height is no more than in the usual sizes.
  const risenPx = anchor === 0 ? (above * usualPx) / first.sizePx : above
  const wanted = (freePx + above + below) * anchor - risenPx
  const least = anchor === 0 ? Math.max(-risenPx, -aboveInk - ascent * usualPx) : 0
  return area.y + Math.min(Math.max(wanted, least), Math.max(0, freePx))
}

interface Eyebrow {
  /** Undefined where only the theme's ornament is there. */
  readonly fitted: FittedText | undefined
  readonly indentPx: number
  readonly heightPx: number
  readonly gapPx: number
}

function fitEyebrow(texts: CardTexts, canvas: Canvas, area: Area, boxes: Boxes): Eyebrow | undefined {
  const { sizesPx, maxLines, ornament, isAlways = false } = boxes.eyebrow
  const { eyebrow } = texts
  if (eyebrow === undefined && !isAlways) return undefined
  const indentPx = ornament.indentPx(texts, canvas, boxes.unit)
  const [sizePx = 0] = sizesPx
  const gapPx = sizePx * 0.55
  if (eyebrow === undefined) return { fitted: undefined, indentPx, heightPx: sizePx * 1.2, gapPx }
  const fitted = canvas.fit(
    'eyebrow',
    eyebrow,
    { sizesPx, maxLines },
    area.width - indentPx,
    area.height * 0.3,
  )
  return { fitted, indentPx, heightPx: fitted.heightPx, gapPx }
}
