import type { Badge } from './badge.ts'
import { type SizedText, sizeText, type TextTools, type TextWriter } from './sized-text.ts'
import { softColors } from './soft-colors.ts'
import { clickArea } from './svg-root.ts'
import { type TextPaint, textPaint } from './text-paint.ts'
import { textGroupOf, twoPartsSvg } from './two-parts.ts'

type ClassicStyle = 'flat' | 'flat-square' | 'plastic' | 'soft' | 'rounded'

interface StyleGeometry {
  readonly heightPx: number
  /** The baseline of the texts, in tenths of a px. */
  readonly baseline: number
  /** Rounded corners, shading and text shadow; absent for the flat geometry. */
  readonly relief?: { readonly radiusPx: number; readonly stops: string }
  /** Rounded corners without any relief, and the room that they need at both ends. */
  readonly corners?: { readonly radiusPx: number; readonly endPx: number }
  /** Whether the parts are tints with dark text. */
  readonly isSoft?: boolean
}

const geometries: Readonly<Record<ClassicStyle, StyleGeometry>> = {
  flat: {
    heightPx: 20,
    baseline: 140,
    relief: {
      radiusPx: 3,
      stops: '<stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/>',
    },
  },
  'flat-square': { heightPx: 20, baseline: 140 },
  plastic: {
    heightPx: 18,
    baseline: 130,
    relief: {
      radiusPx: 4,
      stops:
        '<stop offset="0" stop-color="#fff" stop-opacity=".7"/><stop offset=".1" stop-color="#aaa" stop-opacity=".1"/>' +
        '<stop offset=".9" stop-color="#000" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity=".5"/>',
    },
  },
  soft: { heightPx: 20, baseline: 140, corners: { radiusPx: 5, endPx: 2 }, isSoft: true },
  rounded: { heightPx: 20, baseline: 140, corners: { radiusPx: 10, endPx: 4 } },
}

const paddingPx = 5
const logoGapPx = 3
const defaultLabelColor = '#555555'
const textGroup = textGroupOf(110)

/** The styles of two rectangles side by side. */
export function renderClassic(wanted: Badge, style: ClassicStyle, tools: TextTools): string {
  const { write } = tools
  const geometry = geometries[style]
  const { heightPx, corners, isSoft = false } = geometry
  const { endPx = 0 } = corners ?? {}
  const layout = layOut(wanted, tools, endPx)
  const { leftPx, rightPx } = layout
  const labelPaint = partPaint(layout.labelColor, isSoft)
  const messagePaint = partPaint(wanted.color, isSoft)
  const labelColor = labelPaint.background
  const badge = { ...wanted, color: messagePaint.background }
  const label = partText(layout.label, labelPaint, layout.labelStartPx, geometry, badge.idSuffix, write)
  const message = partText(
    layout.message,
    messagePaint,
    layout.messageStartPx,
    geometry,
    badge.idSuffix,
    write,
  )
  return twoPartsSvg(badge, {
    heightPx,
    leftPx,
    rightPx,
    labelColor,
    textGroup,
    logoStartPx: paddingPx + endPx,
    background: rectangles(badge, geometry, labelColor, leftPx, rightPx),
    label: label && clickArea(badge, areaStartPx(layout.labelStartPx), leftPx, heightPx) + label,
    message: clickArea(badge, areaStartPx(layout.messageStartPx), rightPx, heightPx) + message,
  })
}

/** badge-maker starts a part's click area a px after its text's start, and that of a first part at the edge. */
function areaStartPx(textStartPx: number): number {
  return textStartPx > 1 ? textStartPx + 1 : 0
}

/** A colour as the background of a part, and the colours of text on it. */
function partPaint(color: string, isSoft: boolean): PartPaint {
  if (!isSoft) return { background: color, ...textPaint(color) }
  const { background, ink } = softColors(color)
  return { background, fill: ` fill="${ink}"`, shadow: ink, color: ink }
}

interface PartPaint extends Pick<TextPaint, 'fill' | 'shadow'> {
  readonly background: string
  readonly color: string
}

function layOut(badge: Badge, tools: TextTools, endPx: number) {
  const { label, message, color, labelColor, logo } = badge
  const labelText = sizeText(label, 'verdana-11', badge, tools)
  const messageText = sizeText(message, 'verdana-11', badge, tools)
  // badge-maker gives an empty message the width 1, as it rounds 0 up to odd.
  const messagePx = message === '' ? 1 : messageText.widthPx
  const hasLeft = label !== '' || labelColor !== undefined
  const logoPx = logo ? logo.widthPx + (label ? logoGapPx : 0) : 0
  const leftPx = hasLeft ? labelText.widthPx + 2 * paddingPx + logoPx + endPx : 0
  const lonelyLogoPx = hasLeft || !logo ? 0 : logoPx
  return {
    label: labelText,
    message: messageText,
    labelColor: hasLeft || logo ? (labelColor ?? defaultLabelColor) : color,
    leftPx,
    rightPx:
      messagePx +
      2 * paddingPx +
      lonelyLogoPx +
      (lonelyLogoPx && message ? paddingPx - 1 : 0) +
      (hasLeft ? endPx : 2 * endPx),
    labelStartPx: logoPx + 1 + endPx,
    messageStartPx: leftPx - 1 + (hasLeft ? 0 : endPx + (logo ? lonelyLogoPx + paddingPx : 1)),
  }
}

function rectangles(
  { color, idSuffix }: Badge,
  geometry: StyleGeometry,
  labelColor: string,
  leftPx: number,
  rightPx: number,
): string {
  const height = `height="${geometry.heightPx}"`
  const parts = `<rect width="${leftPx}" ${height} fill="${labelColor}"/><rect x="${leftPx}" width="${rightPx}" ${height} fill="${color}"/>`
  const width = `width="${leftPx + rightPx}"`
  if (geometry.corners)
    return (
      `<clipPath id="r${idSuffix}"><rect ${width} ${height} rx="${geometry.corners.radiusPx}"/></clipPath>` +
      `<g clip-path="url(#r${idSuffix})">${parts}</g>`
    )
  if (!geometry.relief) return `<g shape-rendering="crispEdges">${parts}</g>`
  return (
    `<filter id="blur${idSuffix}"><feGaussianBlur stdDeviation="16"/></filter>` +
    `<linearGradient id="s${idSuffix}" x2="0" y2="100%">${geometry.relief.stops}</linearGradient>` +
    `<clipPath id="r${idSuffix}"><rect ${width} ${height} rx="${geometry.relief.radiusPx}"/></clipPath>` +
    `<g clip-path="url(#r${idSuffix})">${parts}<rect ${width} ${height} fill="url(#s${idSuffix})"/></g>`
  )
}

function partText(
  sized: SizedText,
  { color, fill, shadow }: PartPaint,
  startPx: number,
  { baseline, relief }: StyleGeometry,
  idSuffix: string,
  write: TextWriter,
): string {
  if (sized.text === '') return ''
  const x = 10 * (startPx + 0.5 * sized.widthPx + paddingPx)
  const text = write(sized, { x, y: baseline, scaled: !relief, attributes: fill, color })
  if (!relief) return text
  function below(attributes: string) {
    return write(sized, { x, y: baseline + 10, scaled: false, attributes, color })
  }
  const blurred = below(` fill-opacity=".8" filter="url(#blur${idSuffix})"`)
  return `<g transform="scale(.1)"><g aria-hidden="true" fill="${shadow}">${blurred}${below(' fill-opacity=".3"')}</g>${text}</g>`
}
