import type { FittedText } from '../../../text/types.ts'
import { capital } from '../canvas.ts'
import { type Area, circle, startIn } from '../shapes.ts'
import type { CardTexts, RoleText } from '../theme.ts'
import {
  type BlockChange,
  type Boxes,
  type CardContext,
  type Part,
  partPx,
  type Stage,
  scaledSizes,
  type TextBlock,
} from './contracts.ts'
import { fitTitleAndSubtitle, gapPxMin } from './fit-title.ts'

/** Fits eyebrow, title and subtitle together into the area and sets them, the title as large as they allow. */
export function drawTextBlock(
  stage: Omit<Stage, 'setTexts'> & Pick<BlockChange, 'above' | 'lead' | 'tail'>,
): TextBlock {
  const { canvas, area: whole, boxes, colors, above, lead, tail } = stage
  const [abovePx, leadPx, tailPx] = [partPx(above), partPx(lead), partPx(tail)]
  const area = { ...whole, y: whole.y + abovePx, height: whole.height - abovePx }
  const eyebrow = fitEyebrow(stage, area)
  const headPx = partPx(eyebrow) + leadPx
  const room = { width: area.width, height: area.height - headPx - tailPx }
  const { title, subtitle } = fitTitleAndSubtitle(stage, room)
  const textPx = title.heightPx + (subtitle?.heightPx ?? 0)
  const gapPx =
    subtitle === undefined ? 0 : Math.min(gapPxMin(subtitle) + title.sizePx * 0.08, room.height - textPx)
  const { align } = boxes.text
  const bodyPx = textPx + gapPx + tailPx
  // A part above the title has no air of a line box.
  const first = eyebrow?.fitted ?? (lead === undefined || boxes.text.anchor > 0 ? title : undefined)
  const top = area.y + blockTop(boxes, area.height - headPx - bodyPx, first, subtitle ?? title)
  // A part above the block is as far from it wherever that is.
  above?.draw({ ...area, y: top - abovePx, height: above.heightPx })
  if (eyebrow !== undefined) {
    const { ornament } = boxes.eyebrow
    const { fitted, indentPx, heightPx } = eyebrow
    const centreY = top + (fitted?.heightPx ?? heightPx) / 2
    const widthPx = indentPx + eyebrow.widthPx
    const x = area.x + (align === 'center' && indentPx > 0 ? Math.max(0, area.width - widthPx) / 2 : 0)
    ornament.draw(stage, { x, centreY, textPx: eyebrow.widthPx })
    const width = x === area.x ? area.width - indentPx : widthPx - indentPx
    eyebrow.draw({ x: x + indentPx, y: top, width, height: heightPx })
  }
  const titleY = top + headPx
  const bottom = area.y + area.height - tailPx
  lead?.draw({ ...area, y: titleY - leadPx, height: lead.heightPx })
  const { role = 'title', opening } = boxes.title
  const opened = opening === undefined ? title : withOpening(title, opening)
  const titleArea = { ...area, y: titleY, height: bottom - titleY }
  canvas.text(role, opened, titleArea, colors.ink, align, colors.inkFoot)
  const y = titleY + title.heightPx + gapPx
  if (subtitle !== undefined) drawSubtitle(stage, subtitle, { ...area, y, height: bottom - y })
  const textBottom = y + (subtitle?.heightPx ?? 0)
  tail?.draw({ ...area, y: textBottom + tail.gapPx, height: tail.heightPx })
  const block = { title, area: { ...area, y: titleY }, top: top - abovePx, bottom: textBottom + tailPx }
  boxes.finish?.(canvas, block, colors)
  return block
}

function withOpening(fitted: FittedText, opening: string): FittedText {
  const lines = fitted.lines.map((line, at) => (at === 0 ? { ...line, text: opening + line.text } : line))
  return { ...fitted, lines }
}

function drawSubtitle({ canvas, boxes, colors }: CardContext, subtitle: FittedText, area: Area): void {
  const { sign, role = 'subtitle' } = boxes.subtitle
  const { align } = boxes.text
  const color = colors.paleInk
  if (sign === undefined) {
    canvas.text(role, subtitle, area, color, align)
    return
  }
  const { sizePx, lines } = subtitle
  const indentPx = sign.indent * sizePx
  const text = { ...area, x: area.x + indentPx, width: area.width - indentPx }
  canvas.text(role, subtitle, text, color, align)
  const before = canvas.line(role, sign.text, sizePx, indentPx)
  const baselinePx = before.lines[0]?.baselinePx ?? 0
  for (const line of lines) {
    const y = area.y + line.baselinePx - baselinePx
    canvas.text('sign', before, { x: area.x, y, width: indentPx }, color, align)
  }
}

/**
 * The rise of ink above a text that begins at the top of its area, at most, as a share of its size: a short title that is
 * larger than its theme's largest size has no more room above.
 */
const ascent = 0.22

/** The top of the first line box in its area. Line boxes hold air above and below, which centring must not count. */
function blockTop(boxes: Boxes, freePx: number, first: FittedText | undefined, last: FittedText): number {
  const { text, title } = boxes
  const { anchor } = text
  const { sizePx = 1, lines: [line] = [] } = first ?? {}
  const firstBaseline = line?.baselinePx ?? 0
  const lastBaseline = last.lines.at(-1)?.baselinePx ?? last.heightPx
  const usualPx = Math.min(sizePx, title.sizesPx[0] ?? 0)
  const above = Math.max(0, firstBaseline - capital * sizePx)
  const below = Math.max(0, last.heightPx - lastBaseline)
  // Emoji and marks rise above the capitals.
  const aboveInk = firstBaseline + (line?.ink.top ?? 0)
  // An eyebrow above a title at the top of its area rises with it, so its height is no more than in the usual sizes.
  const risenPx = anchor === 0 ? (above * usualPx) / sizePx : above
  const wanted = (freePx + above + below) * anchor - risenPx
  const least = anchor === 0 ? Math.max(-risenPx, -aboveInk - ascent * usualPx) : 0
  return Math.min(Math.max(wanted, least), Math.max(0, freePx))
}

interface Eyebrow extends Part {
  /** Undefined where only the theme's ornament is there. */
  readonly fitted: FittedText | undefined
  readonly widthPx: number
  readonly indentPx: number
}

export function fitEyebrow(card: CardContext, area: Area): Eyebrow | undefined {
  const { texts, canvas, boxes, colors } = card
  const { sizesPx, maxLines, ornament, isAlways = false } = boxes.eyebrow
  const { eyebrow, template } = texts
  const details = template?.details ?? []
  if (eyebrow === undefined && details.length === 0 && !isAlways) return undefined
  const indentPx = ornament.indentPx(card)
  const [sizePx = 0] = sizesPx
  const gapPx = sizePx * 0.55
  const widthPx = area.width - indentPx
  if (details.length > 0) {
    const first = eyebrow === undefined ? [] : [{ role: 'eyebrow', text: eyebrow }]
    return { ...fitDetails(card, [...first, ...details], widthPx), indentPx, gapPx }
  }
  if (eyebrow === undefined)
    return { fitted: undefined, widthPx: 0, indentPx, heightPx: sizePx * 1.2, gapPx, draw: () => undefined }
  const fitted = canvas.fit('eyebrow', eyebrow, { sizesPx, maxLines }, widthPx, area.height * 0.3)
  return {
    fitted,
    widthPx: fitted.widthPx,
    indentPx,
    heightPx: fitted.heightPx,
    gapPx,
    draw: (place) => canvas.text('eyebrow', fitted, place, colors.eyebrow, boxes.text.align),
  }
}

/** Short texts in lines with points between them. */
export function fitDetails(
  { canvas, boxes, colors }: CardContext,
  texts: readonly RoleText[],
  widthPx: number,
  sizePx = boxes.eyebrow.sizesPx[0] ?? 0,
): Pick<Eyebrow, 'fitted' | 'widthPx' | 'heightPx' | 'draw'> {
  const { align } = boxes.text
  const [radiusPx, spacePx] = [sizePx * 0.085, sizePx * 0.8]
  const point = circle(radiusPx, radiusPx, radiusPx)
  let [x, line] = [0, 0]
  const placed = texts.map(({ role, text }) => {
    const fitted = canvas.line(role, text, sizePx, widthPx)
    if (x > 0 && x + fitted.widthPx > widthPx) {
      line += 1
      x = 0
    }
    const place = { role, fitted, line, x, endX: x + fitted.widthPx }
    x = place.endX + spacePx
    return place
  })
  const linePx = Math.max(...placed.map(({ fitted }) => fitted.heightPx))
  return {
    fitted: placed[0]?.fitted,
    widthPx: Math.max(...placed.map(({ endX }) => endX)),
    heightPx: (line + 1) * linePx,
    draw({ x: left, y, width }) {
      for (const { role, fitted, line, x: from } of placed) {
        const endX = Math.max(...placed.filter((each) => each.line === line).map((each) => each.endX))
        const start = left + startIn(align, width - endX) + from
        const color = role === 'eyebrow' ? colors.eyebrow : colors.paleInk
        const top = y + line * linePx
        canvas.text(role, fitted, { x: start, y: top, width: fitted.widthPx }, color)
        const pointY = top + (fitted.lines[0]?.baselinePx ?? 0) - (capital / 2) * sizePx - radiusPx
        if (from > 0)
          canvas.shape(point, start - spacePx / 2 - radiusPx, pointY, 2 * radiusPx, colors.paleInk)
      }
    },
  }
}

/** Eyebrow, title and subtitle above something larger: their boxes, and the height that they take. */
export function smallTitle(stage: Stage, sizes: readonly number[] = [58, 52, 46, 42, 38, 34], share = 0.45) {
  const { area, boxes, size } = stage
  const isWide = size.shape === 'wide'
  const sizesPx = scaledSizes(sizes, boxes.unit)
  const floorPx = Math.min(...sizesPx)
  const changed: Boxes = {
    ...boxes,
    title: {
      ...boxes.title,
      sizesPx,
      maxLines: isWide ? 2 : 3,
      maxHeightPx: area.height * share,
      floorPx,
      wholePxMin: floorPx,
    },
    subtitle: { ...boxes.subtitle, sizesPx: scaledSizes([30, 27, 24], boxes.unit), maxLines: isWide ? 1 : 2 },
  }
  const card = { ...stage, boxes: changed }
  const room = { width: area.width, height: area.height * share }
  const { title, subtitle } = fitTitleAndSubtitle(card, room)
  const subtitlePx =
    subtitle === undefined ? 0 : subtitle.heightPx + 0.6 * subtitle.sizePx + 0.08 * title.sizePx
  return { boxes: changed, headPx: Math.ceil(partPx(fitEyebrow(card, area)) + title.heightPx + subtitlePx) }
}

export function stacked(parts: readonly (Part | undefined)[]): Part | undefined {
  const [first, ...others] = parts.filter((part) => part !== undefined)
  if (first === undefined) return undefined
  return others.reduce(
    (above, part) => ({
      heightPx: above.heightPx + part.gapPx + part.heightPx,
      gapPx: above.gapPx,
      draw(area) {
        above.draw({ ...area, height: above.heightPx })
        part.draw({ ...area, y: area.y + above.heightPx + part.gapPx, height: part.heightPx })
      },
    }),
    first,
  )
}

/** The area for a shape at its end, which needs more air above the labels than the last line of a text. */
export function aboveFoot({ area, boxes: { unit } }: Stage): Area {
  return { ...area, height: area.height - 14 * unit }
}

/** Draws a template again with fewer texts, where all of them leave its largest one no room. */
export function drawWith(stage: Stage, texts: CardTexts, draw: (stage: Stage) => void): void {
  draw({ ...stage, texts, setTexts: (change) => stage.setTexts({ texts, ...change }) })
}
