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
import { type BadgeFont, type Measure, measureText } from './widths/measure.ts'

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
  readonly radiusPx?: number
  /** The room that round corners need at both ends. */
  readonly endPx?: number
  /** The shading of the badge, whose texts have a shadow then. */
  readonly stops?: string
  /** The parts are tints with dark text. */
  readonly isSoft?: boolean
  /** Texts are spaced capitals, the message in bold. The accessible name keeps the caller's case. */
  readonly isCapital?: boolean
  readonly spacing?: typeof usualSpacing
}

const styles: Readonly<Record<Exclude<BadgeStyle, 'social'>, PartsStyle>> = stylesByName

const defaultLabelColor = '#555555'

/** Distances in px, where the style has no others. */
const usualSpacing = {
  /** Before a label without a logo. */
  marginPx: 6,
  logoPx: 5,
  /** Between a logo and a text. */
  logoGapPx: 4,
  /** A badge of a logo alone is so much narrower than one with a text of no width. */
  lonelyLogoPx: 4,
  /** Between a text and the edge of its part. */
  paddingPx: 4,
  /** Both sides of a part's text. */
  aroundPx: 10,
  /** badge-maker gives an empty message the width 1, as it rounds 0 up to odd. */
  emptyPx: 1,
}

const letterSpacingPx = 1.25

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
  const { heightPx, isCapital = false, endPx = 0, spacing = usualSpacing } = style
  const parts = layOut(badge, style, tools)
  const widthPx = parts.reduce((sum, part) => sum + part.widthPx, 0)
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
  const logoPx = endPx + spacing.logoPx
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

/** The label, the message and further parts. The last one grows to the width that is asked for. */
function layOut(badge: Badge, style: PartsStyle, tools: TextTools): readonly Part[] {
  const { isCapital = false, isSoft = false, endPx = 0, spacing = usualSpacing } = style
  const { marginPx, logoPx, logoGapPx, lonelyLogoPx, paddingPx, aroundPx, emptyPx } = spacing
  const { labelColor, logo, color, more = [], widthPxMin = 0 } = badge
  function sizeOf(text: string, font: BadgeFont = 'verdana-10-bold'): SizedText {
    return isCapital
      ? sizeText(badgeCapitals(text, badge.lang), font, badge, tools, spacedWidth)
      : sizeText(text, 'verdana-11', badge, tools)
  }
  const parts: Part[] = []
  let xPx = 0
  function add(sized: SizedText, widthPx: number, textPx: number, background: string): void {
    // badge-maker starts the area at the edge of the first part, and a px after the padding of others.
    const usualAreaPx = textPx > marginPx ? textPx - paddingPx : 0
    const paint = isSoft ? softPaint(background) : fullPaint(background)
    parts.push({ sized, xPx, widthPx, textPx, areaPx: isCapital ? xPx : usualAreaPx, paint })
    xPx += widthPx
  }
  const label = sizeOf(badge.label, 'verdana-10')
  const hasLeft = label.text !== '' || (labelColor !== undefined && (!isCapital || logo !== undefined))
  const logoWidthPx = logo ? logo.widthPx + logoGapPx : 0
  const labelPx = endPx + (logo ? logoPx + logoWidthPx : marginPx)
  const emptyLeftPx = endPx + 2 * logoPx + (logo?.widthPx ?? 0)
  const leftPx = label.text === '' ? emptyLeftPx : labelPx + label.widthPx + paddingPx
  const leftColor = hasLeft || logo ? (labelColor ?? defaultLabelColor) : color
  add(label, hasLeft ? leftPx : 0, labelPx, leftColor)
  const message = sizeOf(badge.message)
  const beforePx = hasLeft ? 0 : endPx + logoWidthPx
  const lessPx = !hasLeft && logo && message.text === '' ? lonelyLogoPx : 0
  const messagePx = (message.text === '' ? emptyPx : message.widthPx) + aroundPx + beforePx - lessPx
  add(message, messagePx, hasLeft ? leftPx + paddingPx : beforePx + aroundPx / 2, color)
  for (const part of more) {
    const sized = sizeOf(part.message)
    add(sized, sized.widthPx + aroundPx, xPx + paddingPx, part.color)
  }
  const last = parts.at(-1)
  if (last === undefined) return parts
  const missingPx = Math.max(0, widthPxMin - xPx - endPx)
  last.widthPx += endPx + missingPx
  last.textPx += missingPx / 2
  return parts
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
  { heightPx, radiusPx, stops, isCapital = false }: PartsStyle,
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
  if (radiusPx === undefined) return `<g shape-rendering="crispEdges">${rectangles}</g>`
  const width = `width="${widthPx}"`
  const clip = `<clipPath id="r${idSuffix}"><rect ${width} ${height} rx="${radiusPx}"/></clipPath><g clip-path="url(#r${idSuffix})">${rectangles}`
  if (stops === undefined) return `${clip}</g>`
  return (
    `<filter id="blur${idSuffix}"><feGaussianBlur stdDeviation="16"/></filter>` +
    `<linearGradient id="s${idSuffix}" x2="0" y2="100%">${stops}</linearGradient>` +
    `${clip}<rect ${width} ${height} fill="url(#s${idSuffix})"/></g>`
  )
}

function partText(
  { sized, textPx, paint: { color, fill, shadow } }: Part,
  { baseline, stops }: PartsStyle,
  idSuffix: string,
  { write }: TextTools,
  weight: string,
): string {
  if (sized.text === '') return ''
  const x = 10 * (textPx + 0.5 * sized.widthPx)
  const text = write(sized, { x, y: baseline, scaled: stops === undefined, attributes: weight + fill, color })
  if (stops === undefined) return text
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
