import { capitals } from '../../lib/capitals.ts'
import type { Badge } from './badge.ts'
import { type SizedText, sizeText, type TextTools } from './sized-text.ts'
import { clickArea } from './svg-root.ts'
import { type TextPaint, textPaint } from './text-paint.ts'
import { textGroupOf, twoPartsSvg } from './two-parts.ts'
import type { Measure } from './widths/measure.ts'

const heightPx = 28
const baseline = 175
const textMarginPx = 12
const logoMarginPx = 9
const logoGapPx = 6
const letterSpacingPx = 1.25
const defaultLabelColor = '#555555'
const textGroup = textGroupOf(100)

/** The tall style in spaced capitals. Its accessible name keeps the caller's case. */
export function renderForTheBadge(badge: Badge, tools: TextTools): string {
  const { color, labelColor = defaultLabelColor } = badge
  const { label, message, labelStartPx, messageStartPx, leftPx, rightPx } = layOut(badge, tools)
  function textAt(sized: SizedText, startPx: number, { color, fill }: TextPaint, weight = '') {
    if (sized.text === '') return ''
    return tools.write(sized, {
      x: 10 * (startPx + 0.5 * sized.widthPx),
      y: baseline,
      scaled: true,
      attributes: weight + fill,
      color,
    })
  }
  const left = leftPx > 0 ? `<rect width="${leftPx}" height="${heightPx}" fill="${labelColor}"/>` : ''
  const x = leftPx > 0 ? `x="${leftPx}" ` : ''
  return twoPartsSvg(badge, {
    heightPx,
    textGroup,
    logoStartPx: logoMarginPx,
    leftPx,
    rightPx,
    labelColor,
    background: `<g shape-rendering="crispEdges">${left}<rect ${x}width="${rightPx}" height="${heightPx}" fill="${color}"/></g>`,
    label:
      label.text &&
      clickArea(badge, 0, leftPx, heightPx) + textAt(label, labelStartPx, textPaint(labelColor)),
    message:
      clickArea(badge, leftPx, rightPx, heightPx) +
      textAt(message, messageStartPx, textPaint(color), ' font-weight="bold"'),
  })
}

function layOut(badge: Badge, tools: TextTools) {
  const { labelColor, logo } = badge
  const label = sizeText(capitals(badge.label), 'verdana-10', badge, tools, spacedWidth)
  const message = sizeText(capitals(badge.message), 'verdana-10-bold', badge, tools, spacedWidth)
  const logoPx = logo?.widthPx ?? 0
  const gapPx = badge.label || badge.message ? logoGapPx : logoGapPx - logoMarginPx
  const labelStartPx = logo ? logoMarginPx + logoPx + gapPx : textMarginPx
  const hasLeft = label.text !== '' || (logo !== undefined && labelColor !== undefined)
  const fullLeftPx =
    label.text === '' ? 2 * logoMarginPx + logoPx : labelStartPx + label.widthPx + textMarginPx
  const leftPx = hasLeft ? fullLeftPx : 0
  const shiftPx = logo && !hasLeft ? logoPx + gapPx : 0
  return {
    label,
    message,
    labelStartPx,
    messageStartPx: leftPx + textMarginPx + shiftPx,
    leftPx,
    rightPx: 2 * textMarginPx + shiftPx + message.widthPx,
  }
}

/** Only measured text is spaced: the letters of other scripts may join. */
function spacedWidth(text: string, { widthPx, exact }: Measure): number {
  return Math.floor(widthPx) + (exact ? letterSpacingPx * text.length : 0)
}
