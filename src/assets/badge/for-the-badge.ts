import { capitals } from '../../lib/capitals.ts'
import { escapeXml } from '../../svg/escape-xml.ts'
import type { Badge } from './badge.ts'
import { logoElement } from './logo-element.ts'
import type { SizedText, TextWriter } from './sized-text.ts'
import { accessibleName, clickArea, linkPart, svgRoot } from './svg-root.ts'
import { textPaint } from './text-paint.ts'
import type { BadgeFont } from './widths/font.ts'
import { measureText } from './widths/measure.ts'

const heightPx = 28
const baseline = 175
const textMarginPx = 12
const logoMarginPx = 9
const logoGapPx = 6
const letterSpacingPx = 1.25
const defaultLabelColor = '#555555'

/** The tall style in spaced capitals. Its accessible name keeps the caller's case. */
export function renderForTheBadge(badge: Badge, write: TextWriter): string {
  const { color, logo } = badge
  const labelColor = badge.labelColor ?? defaultLabelColor
  const { label, message, labelStartPx, leftPx, messageStartPx, rightPx } = layOut(badge)
  const logoPaint = textPaint(leftPx > 0 ? labelColor : color)
  function area(xPx: number, widthPx: number) {
    return badge.links.length > 1 ? clickArea(xPx, widthPx, heightPx) : ''
  }
  const left = leftPx > 0 ? `<rect width="${leftPx}" height="${heightPx}" fill="${labelColor}"/>` : ''
  const x = leftPx > 0 ? `x="${leftPx}" ` : ''
  const body =
    `<g shape-rendering="crispEdges">${left}<rect ${x}width="${rightPx}" height="${heightPx}" fill="${color}"/></g>` +
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="100">' +
    logoElement(logo, logoMarginPx, heightPx, logoPaint.color) +
    (label.text &&
      linkPart(
        badge,
        0,
        area(0, leftPx) + partText(label, labelStartPx, textPaint(labelColor).fill, write),
      )) +
    linkPart(
      badge,
      1,
      area(leftPx, rightPx) +
        partText(message, messageStartPx, ` font-weight="bold"${textPaint(color).fill}`, write),
    ) +
    '</g>'
  return svgRoot(
    badge,
    { widthPx: leftPx + rightPx, heightPx, name: accessibleName(badge, badge.label, badge.message) },
    body,
  )
}

interface Layout {
  readonly label: SizedText
  readonly message: SizedText
  readonly labelStartPx: number
  readonly leftPx: number
  readonly messageStartPx: number
  readonly rightPx: number
}

function layOut({ label: rawLabel, message: rawMessage, labelColor, logo }: Badge): Layout {
  const label = spacedText(capitals(rawLabel), 'verdana-10')
  const message = spacedText(capitals(rawMessage), 'verdana-10-bold')
  const logoPx = logo ? logo.widthPx : 0
  const gapPx = rawLabel || rawMessage ? logoGapPx : logoGapPx - logoMarginPx
  const labelStartPx = logo ? logoMarginPx + logoPx + gapPx : textMarginPx
  if (label.text !== '' || (logo && labelColor)) {
    const leftPx = label.text === '' ? 2 * logoMarginPx + logoPx : labelStartPx + label.widthPx + textMarginPx
    return {
      label,
      message,
      labelStartPx,
      leftPx,
      messageStartPx: leftPx + textMarginPx,
      rightPx: 2 * textMarginPx + message.widthPx,
    }
  }
  const shiftPx = logo ? logoPx + gapPx : 0
  const rightPx = 2 * textMarginPx + shiftPx + message.widthPx
  return { label, message, labelStartPx, leftPx: 0, messageStartPx: textMarginPx + shiftPx, rightPx }
}

/** Only measured text is spaced: the letters of other scripts may join. */
function spacedText(text: string, font: BadgeFont): SizedText {
  const measure = measureText(text, font)
  const spacingPx = measure.exact ? letterSpacingPx * text.length : 0
  return { text, markup: escapeXml(text), font, measure, widthPx: Math.floor(measure.widthPx) + spacingPx }
}

function partText(sized: SizedText, startPx: number, attributes: string, write: TextWriter): string {
  if (sized.text === '') return ''
  return write(sized, { x: 10 * (startPx + 0.5 * sized.widthPx), y: baseline, scaled: true, attributes })
}
