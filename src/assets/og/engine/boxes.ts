import type { LabelRole } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import type { Boxes } from './contracts.ts'

/** The boxes moved down, where a picture takes the head of the card. */
export function lowered(boxes: Boxes, y: number): Boxes {
  if (y === 0) return boxes
  const { content, text, head, foot, logo } = boxes
  return {
    ...boxes,
    content: { ...content, y: content.y + y },
    text: {
      ...text,
      top: text.top + y,
      bareTop: text.bareTop + y,
      bottom: text.bottom + y,
      bareBottom: text.bareBottom + y,
    },
    head: loweredRow(head, y),
    foot: loweredRow(foot, y),
    logo: { ...logo, area: { ...logo.area, y: logo.area.y + y } },
  }
}

function loweredRow(row: Boxes['head'], y: number): Boxes['head'] {
  const { centreY, rule } = row
  return { ...row, centreY: centreY + y, ...(rule && { rule: { ...rule, y: rule.y + y } }) }
}

/** Free width beside the column of a centred wide card within its middle square, in units. */
const besideColumn = 20

/**
 * The boxes about the middle of the card: texts, labels and logo in one column, on a wide card within its middle square.
 * A logo has the head for itself, and the labels go to the foot.
 */
export function centred(boxes: Boxes, { widthPx, heightPx, shape, unit }: CardSize, hasLogo: boolean): Boxes {
  const { text, title, subtitle, logo } = boxes
  const isWide = shape === 'wide'
  const widthMax = isWide ? heightPx - 2 * Math.round(besideColumn * unit) : widthPx
  function columnIn(own: Boxes['text'] | Boxes['head']) {
    const { x = boxes.content.x, widthPx: ownPx = boxes.content.width } = own
    const width = Math.min(widthMax, widthPx - 2 * Math.max(x, widthPx - x - ownPx))
    return { x: (widthPx - width) / 2, widthPx: width }
  }
  function row(own: Boxes['head']): Boxes['head'] {
    const linePx = Math.min(own.linePx, 44 * boxes.unit)
    const isJoined = own.isJoined ?? own.align !== 'center'
    return { ...own, ...columnIn(own), linePx, align: 'center', isJoined }
  }
  const column = columnIn(text)
  return {
    ...boxes,
    text: { ...text, ...column, anchor: text.align === 'center' ? text.anchor : 0.5, align: 'center' },
    title: isWide
      ? { ...title, maxLines: 5, maxHeightPx: Math.max(title.maxHeightPx, heightPx * 0.55) }
      : title,
    subtitle: {
      ...subtitle,
      maxWidthPx: Math.min(subtitle.maxWidthPx, column.widthPx),
      maxLines: Math.max(subtitle.maxLines, 3),
    },
    ...(hasLogo && logo.row === 'head' && labelsInFoot(boxes)),
    head: row(boxes.head),
    foot: row(boxes.foot),
    logo: { ...logo, area: { ...logo.area, x: column.x, width: column.widthPx }, align: 'center' },
  }
}

/** The boxes for code, which needs the height of a wide card: labels of the head go to the foot where no logo stays there. */
export function forCode(boxes: Boxes, { shape }: CardSize, hasLogo: boolean): Boxes {
  const { text, logo } = boxes
  if (shape !== 'wide' || text.bareTop === text.top || (hasLogo && logo.row === 'head')) return boxes
  return { ...boxes, ...labelsInFoot(boxes) }
}

export function labelsInFoot({ author, domain, footer }: Boxes): Pick<Boxes, LabelRole> {
  const row = 'foot'
  return { author: { ...author, row }, domain: { ...domain, row }, footer: { ...footer, row } }
}

/** The sizes that a text may take, each a tenth smaller than the one before. */
export function sizeSteps(largestPx: number, smallestPx: number): readonly number[] {
  const steps: number[] = []
  for (let sizePx = largestPx; sizePx > smallestPx * 1.05; sizePx *= 0.9) steps.push(Math.round(sizePx))
  return [...steps, smallestPx]
}

export function scaledSizes(sizesPx: readonly number[], unit: number): readonly number[] {
  return sizesPx.map((sizePx) => Math.round(sizePx * unit))
}
