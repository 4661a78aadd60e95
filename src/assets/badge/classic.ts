import type { Badge } from './badge.ts'
import { type SizedText, sizeText, type TextTools, type TextWriter } from './sized-text.ts'
import { clickArea } from './svg-root.ts'
import { textPaint } from './text-paint.ts'
import { textGroupOf, twoPartsSvg } from './two-parts.ts'

type ClassicStyle = 'flat' | 'flat-square' | 'plastic'

interface StyleGeometry {
  readonly heightPx: number
  /** The baseline of the texts, in tenths of a px. */
  readonly baseline: number
  /** Rounded corners, shading and text shadow; absent for the flat geometry. */
  readonly relief?: { readonly radiusPx: number; readonly stops: string }
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
}

const paddingPx = 5
const logoGapPx = 3
const defaultLabelColor = '#555555'
const textGroup = textGroupOf(110)

/** The styles of two rectangles side by side. */
export function renderClassic(badge: Badge, style: ClassicStyle, tools: TextTools): string {
  const { write } = tools
  const geometry = geometries[style]
  const { heightPx } = geometry
  const layout = layOut(badge, tools)
  const { labelColor, leftPx, rightPx } = layout
  const label = partText(layout.label, labelColor, layout.labelStartPx, geometry, badge.idSuffix, write)
  const message = partText(
    layout.message,
    badge.color,
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
    logoStartPx: paddingPx,
    background: rectangles(badge, geometry, labelColor, leftPx, rightPx),
    label: label && clickArea(badge, areaStartPx(layout.labelStartPx), leftPx, heightPx) + label,
    message: clickArea(badge, areaStartPx(layout.messageStartPx), rightPx, heightPx) + message,
  })
}

/** badge-maker starts a part's click area a px after its text's start, and that of a first part at the edge. */
function areaStartPx(textStartPx: number): number {
  return textStartPx > 1 ? textStartPx + 1 : 0
}

function layOut(badge: Badge, tools: TextTools) {
  const { label, message, color, labelColor, logo } = badge
  const labelText = sizeText(label, 'verdana-11', badge, tools)
  const messageText = sizeText(message, 'verdana-11', badge, tools)
  // badge-maker gives an empty message the width 1, as it rounds 0 up to odd.
  const messagePx = message === '' ? 1 : messageText.widthPx
  const hasLeft = label !== '' || labelColor !== undefined
  const logoPx = logo ? logo.widthPx + (label ? logoGapPx : 0) : 0
  const leftPx = hasLeft ? labelText.widthPx + 2 * paddingPx + logoPx : 0
  const lonelyLogoPx = hasLeft || !logo ? 0 : logoPx
  return {
    label: labelText,
    message: messageText,
    labelColor: hasLeft || logo ? (labelColor ?? defaultLabelColor) : color,
    leftPx,
    rightPx: messagePx + 2 * paddingPx + lonelyLogoPx + (lonelyLogoPx && message ? paddingPx - 1 : 0),
    labelStartPx: logoPx + 1,
    messageStartPx: leftPx - 1 + (hasLeft ? 0 : logo ? lonelyLogoPx + paddingPx : 1),
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
  if (!geometry.relief) return `<g shape-rendering="crispEdges">${parts}</g>`
  const width = `width="${leftPx + rightPx}"`
  return (
    `<filter id="blur${idSuffix}"><feGaussianBlur stdDeviation="16"/></filter>` +
    `<linearGradient id="s${idSuffix}" x2="0" y2="100%">${geometry.relief.stops}</linearGradient>` +
    `<clipPath id="r${idSuffix}"><rect ${width} ${height} rx="${geometry.relief.radiusPx}"/></clipPath>` +
    `<g clip-path="url(#r${idSuffix})">${parts}<rect ${width} ${height} fill="url(#s${idSuffix})"/></g>`
  )
}

function partText(
  sized: SizedText,
  background: string,
  startPx: number,
  { baseline, relief }: StyleGeometry,
  idSuffix: string,
  write: TextWriter,
): string {
  if (sized.text === '') return ''
  const { fill, shadow } = textPaint(background)
  const x = 10 * (startPx + 0.5 * sized.widthPx + paddingPx)
  const text = write(sized, { x, y: baseline, scaled: !relief, attributes: fill })
  if (!relief) return text
  function below(attributes: string) {
    return write(sized, { x, y: baseline + 10, scaled: false, attributes })
  }
  const blurred = below(` fill-opacity=".8" filter="url(#blur${idSuffix})"`)
  return `<g transform="scale(.1)"><g aria-hidden="true" fill="${shadow}">${blurred}${below(' fill-opacity=".3"')}</g>${text}</g>`
}
