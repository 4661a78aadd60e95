import { escapeXml, svgNumber } from '../../svg/svg-values.ts'
import { type Badge, type Logo, logoHeightPx } from './badge.ts'
import { fullPaint, iconColor } from './badge-colors.ts'
import type { BadgeFont } from './widths/font.ts'
import type { Measure, MeasureText } from './widths/measure.ts'

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/** The root element. One link wraps the whole badge; with two links each part has its own, and stays readable alone. */
export function svgRoot(
  badge: Badge,
  { widthPx, heightPx }: Size,
  body: string,
  label = badge.label,
): string {
  const { scale, links } = badge
  const size =
    scale === 1
      ? `width="${widthPx}" height="${heightPx}"`
      : `width="${svgNumber(widthPx * scale, 3)}" height="${svgNumber(heightPx * scale, 3)}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const name = escapeXml(accessibleName(badge, label))
  const content = links.length === 1 ? linkTo(links[0], body) : body
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="${links.length > 1 ? 'group' : 'img'}" aria-label="${name}"><title>${name}</title>${content}</svg>`
}

/** A badge of a logo alone has the name of its icon. */
function accessibleName({ title, logo, message: first, more = [] }: Badge, label: string): string {
  if (title !== undefined) return title
  const message = more.reduce((texts, part) => (texts ? `${texts}, ${part.message}` : part.message), first)
  if (label && message) return `${label}: ${message}`
  return label || message || (logo?.kind === 'icon' ? logo.slug : '')
}

export function linkPart({ links }: Badge, part: 0 | 1, content: string): string {
  return links.length > 1 ? linkTo(links[part], content) : content
}

/** An invisible rectangle that makes the whole part clickable, where the badge has a link for each part. */
export function clickArea({ links }: Badge, xPx: number, widthPx: number, heightPx: number): string {
  return links.length > 1
    ? `<rect width="${widthPx}" x="${xPx}" height="${heightPx}" fill="rgba(0,0,0,0)"/>`
    : ''
}

function linkTo(href: string | undefined, content: string): string {
  return href === undefined ? content : `<a target="_blank" href="${escapeXml(href)}">${content}</a>`
}

/** The logo's element, centred in a badge of this height, on a background `#rrggbb`. */
export function logoElement(
  logo: Logo | undefined,
  xPx: number,
  badgeHeightPx: number,
  background: string,
  textColor: string = fullPaint(background).color,
): string {
  if (!logo) return ''
  const box = `x="${xPx}" y="${(badgeHeightPx - logoHeightPx) / 2}" width="${logo.widthPx}" height="${logoHeightPx}"`
  if (logo.kind === 'image') return `<image ${box} href="${escapeXml(logo.href)}"/>`
  const fill = iconColor(logo, background, textColor)
  return `<svg ${box} viewBox="${logo.viewBox}" fill="${fill}"><path d="${logo.d}"/></svg>`
}

/** The position of a text centred at `x`, in tenths of a px: badges draw text ten times as big and scale it down. */
export interface TextPosition {
  readonly x: number
  readonly y: number
  /** More SVG attributes, each after a space. */
  readonly attributes: string
  /** True when the text scales itself by a tenth, since no group around it does. */
  readonly scaled: boolean
  /** The colour of the letters, `#rrggbb`: pictures are lightened beside light ones. */
  readonly color: string
}

export type TextWriter = (text: SizedText, place: TextPosition) => string

export interface TextTools {
  readonly measure: MeasureText
  readonly write: TextWriter
}

/** A text element in the viewer's fonts. `textLength` keeps measured text at its width in every font. */
export function writeText(text: SizedText, { x, y, attributes, scaled }: TextPosition): string {
  const { markup, measure, widthPx } = text
  const length = measure.exact ? ` textLength="${10 * widthPx}"` : ''
  const direction = measure.direction === 'rtl' ? ' direction="rtl"' : ''
  const transform = scaled ? ' transform="scale(.1)"' : ''
  return `<text x="${x}" y="${y}"${length}${transform}${direction}${attributes}>${markup}</text>`
}

export interface SizedText {
  readonly text: string
  readonly markup: string
  readonly font: BadgeFont
  readonly measure: Measure
  readonly widthPx: number
}

/** Sizes text, in the classic and social styles to an odd width, so that the centre falls on a pixel. */
export function sizeText(
  text: string,
  font: BadgeFont,
  { emojiWidth }: Pick<Badge, 'emojiWidth'>,
  { measure: measureText }: Pick<TextTools, 'measure'>,
  widthOf = oddWidth,
): SizedText {
  const measure = measureText(text, font, emojiWidth)
  return { text, markup: escapeXml(text), font, measure, widthPx: widthOf(text, measure) }
}

function oddWidth(text: string, { widthPx }: Measure): number {
  return text === '' ? 0 : Math.floor(widthPx) | 1
}
