import { capitals } from '../../lib/words.ts'
import { type ErrorText, errorName, shorten } from '../kit/error-picture.ts'
import type { Badge, BadgeStyle } from './badge.ts'
import {
  clickArea,
  fullPaint,
  linkPart,
  logoElement,
  type PartPaint,
  type SizedText,
  sizeText,
  softPaint,
  svgRoot,
  type TextTools,
  writeText,
} from './badge-elements.ts'
import { palette } from './color-names.ts'
import stylesByName from './styles.json' with { type: 'json' }
import { type Measure, measureText } from './widths/measure.ts'

/** Text in the viewer's fonts, as wide as the tables say. */
const plainTools: TextTools = { measure: measureText, write: writeText }

/** The badge as SVG, with the geometry of badge-maker 6. */
export function renderBadge(badge: Badge, tools: TextTools = plainTools): string {
  return badge.style === 'social' ? renderSocial(badge, tools) : renderParts(badge, badge.style, tools)
}

interface PartsStyle {
  readonly heightPx: number
  /** The baseline of the texts, in tenths of a px. */
  readonly baseline: number
  /** Rounded corners, shading and text shadow; absent for the flat geometry. */
  readonly relief?: { readonly radiusPx: number; readonly stops: string }
  /** Rounded corners without any relief, and the room that they need at both ends. */
  readonly corners?: { readonly radiusPx: number; readonly endPx: number }
  /** The parts are tints with dark text. */
  readonly isSoft?: boolean
  /** Texts are spaced capitals, the message in bold. The accessible name keeps the caller's case. */
  readonly isCapital?: boolean
}

const styles: Readonly<Record<Exclude<BadgeStyle, 'social'>, PartsStyle>> = stylesByName

const defaultLabelColor = '#555555'

interface Part {
  readonly sized: SizedText
  readonly xPx: number
  /** 0 for the left part of a badge without one. */
  widthPx: number
  /** The left edge of the text. */
  textPx: number
  /** The left edge of the area that a link of its own covers. */
  readonly areaPx: number
  readonly paint: PartPaint
}

function renderParts(badge: Badge, name: Exclude<BadgeStyle, 'social'>, tools: TextTools): string {
  const style = styles[name]
  const { heightPx, isCapital = false } = style
  const { parts, last, logoPx } = isCapital
    ? layOutCapitals(badge, style, tools)
    : layOutUsual(badge, style, tools)
  const missingPx = (badge.widthPxMin ?? 0) - last.xPx - last.widthPx
  if (missingPx > 0) {
    last.widthPx += missingPx
    last.textPx += missingPx / 2
  }
  const widthPx = last.xPx + last.widthPx
  let [labelText, messageTexts] = ['', '']
  for (const part of parts) {
    const isLabel = part === parts[0]
    if (isLabel && part.sized.text === '') continue
    const area = clickArea(badge, part.areaPx, part.widthPx, heightPx)
    const weight = isCapital && !isLabel ? ' font-weight="bold"' : ''
    const text = area + partText(part, style, badge.idSuffix, tools, weight)
    if (isLabel) labelText = linkPart(badge, 0, text)
    else messageTexts += text
  }
  const logoBackground = badge.logo && parts.find((part) => part.widthPx > 0)?.paint.background
  const body =
    backgroundOf(parts, widthPx, style, badge.idSuffix) +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="${isCapital ? 100 : 110}">` +
    logoElement(badge.logo, logoPx, heightPx, logoBackground ?? '') +
    labelText +
    linkPart(badge, 1, messageTexts) +
    '</g>'
  return svgRoot(badge, widthPx, heightPx, body)
}

function paintIn({ isSoft = false }: PartsStyle, color: string): PartPaint {
  return isSoft ? softPaint(color) : fullPaint(color)
}

/** Adds the parts behind the message, each `aroundPx` wider than its text, which begins `startPx` behind the part's edge. */
function withMore(
  { more = [] }: Badge,
  [label, message]: readonly [label: Part, message: Part],
  style: PartsStyle,
  sizeOf: (text: string) => SizedText,
  startPx: number,
  aroundPx: number,
) {
  const parts = [label, message]
  let last = message
  for (const { message: text, color } of more) {
    const xPx = last.xPx + last.widthPx
    const sized = sizeOf(text)
    const widthPx = sized.widthPx + aroundPx
    last = { sized, xPx, widthPx, textPx: xPx + startPx, areaPx: xPx, paint: paintIn(style, color) }
    parts.push(last)
  }
  return { parts, last }
}

const paddingPx = 5
const logoGapPx = 3

function layOutUsual(badge: Badge, style: PartsStyle, tools: TextTools) {
  const endPx = style.corners?.endPx ?? 0
  const { labelColor, logo } = badge
  const label = sizeText(badge.label, 'verdana-11', badge, tools)
  const message = sizeText(badge.message, 'verdana-11', badge, tools)
  // badge-maker gives an empty message the width 1, as it rounds 0 up to odd.
  const messagePx = message.text === '' ? 1 : message.widthPx
  const hasLeft = label.text !== '' || labelColor !== undefined
  const logoPx = logo ? logo.widthPx + (label.text ? logoGapPx : 0) : 0
  const leftPx = hasLeft ? label.widthPx + 2 * paddingPx + logoPx + endPx : 0
  const lonelyLogoPx = hasLeft || !logo ? 0 : logoPx
  const besideLogoPx = lonelyLogoPx && message.text ? paddingPx - 1 : 0
  const labelStartPx = logoPx + 1 + endPx
  const messageStartPx = leftPx - 1 + (hasLeft ? 0 : endPx + (logo ? lonelyLogoPx + paddingPx : 1))
  const messageWidthPx = messagePx + 2 * paddingPx + lonelyLogoPx + besideLogoPx + (hasLeft ? 0 : endPx)
  const { parts, last } = withMore(
    badge,
    [
      {
        sized: label,
        xPx: 0,
        widthPx: leftPx,
        textPx: labelStartPx + paddingPx,
        areaPx: areaStartPx(labelStartPx),
        paint: paintIn(style, hasLeft || logo ? (labelColor ?? defaultLabelColor) : badge.color),
      },
      {
        sized: message,
        xPx: leftPx,
        widthPx: messageWidthPx,
        textPx: messageStartPx + paddingPx,
        areaPx: areaStartPx(messageStartPx),
        paint: paintIn(style, badge.color),
      },
    ],
    style,
    (text) => sizeText(text, 'verdana-11', badge, tools),
    paddingPx - 1,
    2 * paddingPx,
  )
  last.widthPx += endPx
  return { parts, last, logoPx: paddingPx + endPx }
}

/** badge-maker starts a part's click area a px after its text's start, and that of a first part at the edge. */
function areaStartPx(textStartPx: number): number {
  return textStartPx > 1 ? textStartPx + 1 : 0
}

const capitalTextMarginPx = 12
const capitalLogoMarginPx = 9
const capitalLogoGapPx = 6
const letterSpacingPx = 1.25

function layOutCapitals(badge: Badge, style: PartsStyle, tools: TextTools) {
  const { labelColor, logo, lang } = badge
  function sizeBold(text: string): SizedText {
    return sizeText(badgeCapitals(text, lang), 'verdana-10-bold', badge, tools, spacedWidth)
  }
  const label = sizeText(badgeCapitals(badge.label, lang), 'verdana-10', badge, tools, spacedWidth)
  const message = sizeBold(badge.message)
  const logoPx = logo?.widthPx ?? 0
  const gapPx = badge.label || badge.message ? capitalLogoGapPx : capitalLogoGapPx - capitalLogoMarginPx
  const labelStartPx = logo ? capitalLogoMarginPx + logoPx + gapPx : capitalTextMarginPx
  const hasLeft = label.text !== '' || (logo !== undefined && labelColor !== undefined)
  const fullLeftPx =
    label.text === '' ? 2 * capitalLogoMarginPx + logoPx : labelStartPx + label.widthPx + capitalTextMarginPx
  const leftPx = hasLeft ? fullLeftPx : 0
  const shiftPx = logo && !hasLeft ? logoPx + gapPx : 0
  const widthPx = 2 * capitalTextMarginPx + shiftPx + message.widthPx
  const textPx = leftPx + capitalTextMarginPx + shiftPx
  const labelPaint = paintIn(style, labelColor ?? defaultLabelColor)
  const paint = paintIn(style, badge.color)
  const more = withMore(
    badge,
    [
      { sized: label, xPx: 0, widthPx: leftPx, textPx: labelStartPx, areaPx: 0, paint: labelPaint },
      { sized: message, xPx: leftPx, widthPx, textPx, areaPx: leftPx, paint },
    ],
    style,
    sizeBold,
    capitalTextMarginPx,
    2 * capitalTextMarginPx,
  )
  return { ...more, logoPx: capitalLogoMarginPx }
}

const greek = /\p{Script=Greek}/u

/** Greek in capitals has no accents, whatever the language of the page. */
function badgeCapitals(text: string, lang?: string): string {
  return capitals(text, lang ?? (greek.test(text) ? 'el' : undefined))
}

/** Only measured text is spaced: the letters of other scripts may join. */
function spacedWidth(text: string, { widthPx, exact }: Measure): number {
  return Math.floor(widthPx) + (exact ? letterSpacingPx * text.length : 0)
}

function backgroundOf(
  parts: readonly Part[],
  widthPx: number,
  { heightPx, corners, relief, isCapital = false }: PartsStyle,
  idSuffix: string,
): string {
  const height = `height="${heightPx}"`
  let rectangles = ''
  for (const part of parts) {
    const isFirst = rectangles === ''
    // badge-maker draws a left part without width in all styles but the one in capitals.
    if (isCapital && isFirst && part.widthPx === 0) continue
    const x = isFirst ? '' : `x="${part.xPx}" `
    rectangles += `<rect ${x}width="${part.widthPx}" ${height} fill="${part.paint.background}"/>`
  }
  const { radiusPx } = corners ?? relief ?? {}
  if (radiusPx === undefined) return `<g shape-rendering="crispEdges">${rectangles}</g>`
  const width = `width="${widthPx}"`
  const clip = `<clipPath id="r${idSuffix}"><rect ${width} ${height} rx="${radiusPx}"/></clipPath><g clip-path="url(#r${idSuffix})">${rectangles}`
  if (relief === undefined) return `${clip}</g>`
  return (
    `<filter id="blur${idSuffix}"><feGaussianBlur stdDeviation="16"/></filter>` +
    `<linearGradient id="s${idSuffix}" x2="0" y2="100%">${relief.stops}</linearGradient>` +
    `${clip}<rect ${width} ${height} fill="url(#s${idSuffix})"/></g>`
  )
}

function partText(
  { sized, textPx, paint: { color, fill, shadow } }: Part,
  { baseline, relief }: PartsStyle,
  idSuffix: string,
  { write }: TextTools,
  weight: string,
): string {
  if (sized.text === '') return ''
  const x = 10 * (textPx + 0.5 * sized.widthPx)
  const text = write(sized, { x, y: baseline, scaled: !relief, attributes: weight + fill, color })
  if (!relief) return text
  function below(attributes: string) {
    return write(sized, { x, y: baseline + 10, scaled: false, attributes, color })
  }
  const blurred = below(` fill-opacity=".8" filter="url(#blur${idSuffix})"`)
  return `<g transform="scale(.1)"><g aria-hidden="true" fill="${shadow}">${blurred}${below(' fill-opacity=".3"')}</g>${text}</g>`
}

const heightPx = 20
const innerHeightPx = 19
const labelPaddingPx = 5
const messagePaddingPx = 4
const gutterPx = 6
const socialLogoGapPx = 3
const background = '#fcfcfc'
const textColor = '#333333'
const hoverColor = '#0a76bb'

/** The style of a button with a speech bubble beside it, in fixed colours. */
function renderSocial(badge: Badge, tools: TextTools): string {
  const { idSuffix, logo } = badge
  const [first = ''] = badge.label
  const name = capitals(first) + badge.label.slice(first.length)
  const label = sizeText(name, 'helvetica-11-bold', badge, tools)
  const message = sizeText(badge.message, 'helvetica-11-bold', badge, tools)
  const logoPx = logo ? logo.widthPx + (badge.label ? socialLogoGapPx : 0) : 0
  // badge-maker gives an empty label the width 1, as it rounds 0 up to odd.
  const labelPx = label.text === '' ? 1 : label.widthPx
  const usualLeftPx = labelPx + logoPx + 2 * labelPaddingPx
  const usualRightPx = message.widthPx + 2 * messagePaddingPx
  const usualPx = usualLeftPx + 1 + (badge.message ? gutterPx + usualRightPx : 0)
  // The bubble grows, or without one the button.
  const missingPx = Math.max(0, (badge.widthPxMin ?? 0) - usualPx)
  const leftPx = usualLeftPx + (badge.message ? 0 : missingPx)
  const rightPx = usualRightPx + missingPx
  const bubblePx = leftPx + gutterPx
  const labelX = 10 * (logoPx + labelPx / 2 + labelPaddingPx + (leftPx - usualLeftPx) / 2)
  const labelText = shadowed({ ...label, widthPx: labelPx }, labelX, '', tools)
  const messageX = 10 * (bubblePx + rightPx / 2)
  const messageText = badge.message && shadowed(message, messageX, ` id="rlink${idSuffix}"`, tools)
  const button = `<rect id="llink${idSuffix}" stroke="#d5d5d5" fill="url(#a${idSuffix})" x=".5" y=".5" width="${leftPx}" height="${innerHeightPx}" rx="2"/>`
  const twoLinks = badge.links.length > 1
  const body =
    `<style>a:hover #llink${idSuffix}{fill:url(#b${idSuffix});stroke:#ccc}a:hover #rlink${idSuffix}{fill:${hoverColor}}</style>` +
    gradient(`a${idSuffix}`, '<stop offset="0" stop-color="#fcfcfc" stop-opacity="0"/>') +
    gradient(`b${idSuffix}`, '<stop offset="0" stop-color="#ccc" stop-opacity=".1"/>') +
    `<g stroke="#d5d5d5"><rect stroke="none" fill="${background}" x=".5" y=".5" width="${leftPx}" height="${innerHeightPx}" rx="2"/>` +
    (badge.message && bubble(bubblePx, rightPx)) +
    '</g>' +
    logoElement(logo, labelPaddingPx, heightPx, background, textColor) +
    `<g aria-hidden="${!twoLinks}" fill="${textColor}" text-anchor="middle" font-family="Helvetica Neue,Helvetica,Arial,sans-serif" text-rendering="geometricPrecision" font-weight="700" font-size="110px" line-height="14px">` +
    (twoLinks ? linkPart(badge, 0, labelText + button) : button + labelText) +
    (messageText && linkPart(badge, 1, clickArea(badge, bubblePx, rightPx + 1, heightPx) + messageText)) +
    '</g>'
  const widthPx = leftPx + 1 + (badge.message ? gutterPx + rightPx : 0)
  return svgRoot(badge, widthPx, heightPx, body, label.text)
}

function bubble(xPx: number, widthPx: number): string {
  return (
    `<rect x="${xPx + 0.5}" y=".5" width="${widthPx}" height="${innerHeightPx}" rx="2" fill="#fafafa"/>` +
    `<rect x="${xPx}" y="7.5" width=".5" height="5" stroke="#fafafa"/>` +
    `<path d="M${xPx + 0.5} 6.5 l-3 3v1 l3 3" fill="#fafafa"/>`
  )
}

function shadowed(sized: SizedText, x: number, attributes: string, { write }: TextTools): string {
  const place = { x, scaled: true, color: textColor }
  const shadow = write(sized, { ...place, y: 150, attributes: ' aria-hidden="true" fill="#fff"' })
  return shadow + write(sized, { ...place, y: 140, attributes })
}

function gradient(id: string, firstStop: string): string {
  return `<linearGradient id="${id}" x2="0" y2="100%">${firstStop}<stop offset="1" stop-opacity=".1"/></linearGradient>`
}

const reasonCharsMax = 64

export function errorBadge(text: ErrorText): string {
  const { status, reason } = text
  return renderBadge({
    style: 'flat',
    label: String(status),
    message: shorten(reason, reasonCharsMax),
    color: palette.red,
    links: [],
    scale: 1,
    idSuffix: '',
    title: errorName(text),
  })
}
