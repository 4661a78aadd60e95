import { capitals } from '../../lib/capitals.ts'
import type { Badge } from './badge.ts'
import {
  clickArea,
  linkPart,
  logoElement,
  type SizedText,
  sizeText,
  svgRoot,
  type TextTools,
  type TextWriter,
} from './badge-elements.ts'

const heightPx = 20
const innerHeightPx = 19
const labelPaddingPx = 5
const messagePaddingPx = 4
const gutterPx = 6
const logoGapPx = 3
const background = '#fcfcfc'
const textColor = '#333333'
const hoverColor = '#0a76bb'

/** The style of a button with a speech bubble beside it, in fixed colours. */
export function renderSocial(badge: Badge, tools: TextTools): string {
  const { write } = tools
  const { idSuffix, logo } = badge
  const label = sizeText(firstCapital(badge.label), 'helvetica-11-bold', badge, tools)
  const message = sizeText(badge.message, 'helvetica-11-bold', badge, tools)
  const logoPx = logo ? logo.widthPx + (badge.label ? logoGapPx : 0) : 0
  // badge-maker gives an empty label the width 1, as it rounds 0 up to odd.
  const labelPx = label.text === '' ? 1 : label.widthPx
  const leftPx = labelPx + logoPx + 2 * labelPaddingPx
  const rightPx = message.widthPx + 2 * messagePaddingPx
  const bubblePx = leftPx + gutterPx
  const labelX = 10 * (logoPx + labelPx / 2 + labelPaddingPx)
  const labelText = shadowed({ ...label, widthPx: labelPx }, labelX, '', write)
  const messageX = 10 * (bubblePx + rightPx / 2)
  const messageText = badge.message && shadowed(message, messageX, ` id="rlink${idSuffix}"`, write)
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
  return svgRoot(badge, { widthPx, heightPx }, body, label.text)
}

function bubble(xPx: number, widthPx: number): string {
  return (
    `<rect x="${xPx + 0.5}" y=".5" width="${widthPx}" height="${innerHeightPx}" rx="2" fill="#fafafa"/>` +
    `<rect x="${xPx}" y="7.5" width=".5" height="5" stroke="#fafafa"/>` +
    `<path d="M${xPx + 0.5} 6.5 l-3 3v1 l3 3" fill="#fafafa"/>`
  )
}

function shadowed(sized: SizedText, x: number, attributes: string, write: TextWriter): string {
  const place = { x, scaled: true, color: textColor }
  const shadow = write(sized, { ...place, y: 150, attributes: ' aria-hidden="true" fill="#fff"' })
  return shadow + write(sized, { ...place, y: 140, attributes })
}

function gradient(id: string, firstStop: string): string {
  return `<linearGradient id="${id}" x2="0" y2="100%">${firstStop}<stop offset="1" stop-opacity=".1"/></linearGradient>`
}

function firstCapital(text: string): string {
  const first = String.fromCodePoint(...(text === '' ? [] : [text.codePointAt(0) ?? 0]))
  return capitals(first) + text.slice(first.length)
}
