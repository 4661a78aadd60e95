import { contrastRatio, fromOklch, parseHex, type Rgb, textColorOn, toHex, toOklch } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'
import { escapeXml, svgNumber } from '../../svg/svg-values.ts'
import { type Badge, type IconLogo, type Logo, logoHeightPx } from './badge.ts'
import type { BadgeFont, Measure, MeasureText } from './widths/measure.ts'

/** The root element. One link wraps the whole badge; with two links each part has its own, and stays readable alone. */
export function svgRoot(badge: Badge, widthPx: number, heightPx: number, body: string, label = badge.label) {
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
  return `<svg ${box} viewBox="${logo.viewBox}" fill="${iconColor(logo, background, textColor)}"><path d="${logo.d}"/></svg>`
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

export type SizedText = ReturnType<typeof sizeText>

/** Sizes text, in the classic and social styles to an odd width, so that the centre falls on a pixel. */
export function sizeText(
  text: string,
  font: BadgeFont,
  { emojiWidth }: Pick<Badge, 'emojiWidth'>,
  { measure: measureText }: Pick<TextTools, 'measure'>,
  widthOf = oddWidth,
) {
  const measure = measureText(text, font, emojiWidth)
  return { text, markup: escapeXml(text), font, measure, widthPx: widthOf(text, measure) }
}

function oddWidth(text: string, { widthPx }: Measure): number {
  return text === '' ? 0 : Math.floor(widthPx) | 1
}

export type PartPaint = ReturnType<typeof fullPaint>

/** A colour `#rrggbb` as a background, with its text. Asked several times for each badge, where an LRU cache would be felt. */
export const fullPaint = memo((background: string) => {
  const color: string = textColorOn(parseHex(background) ?? { r: 0, g: 0, b: 0 })
  // The group of texts is white already.
  if (color === '#ffffff') return { background, color, shadow: '#010101', fill: '' }
  return { background, color, shadow: '#ccc', fill: ` fill="${color}"` }
}, 1000)

const inkContrastMin = 4.6

/** A tint of a colour, and a dark shade of it that is readable on the tint. */
export const softPaint = memo((full: string): PartPaint => {
  const { c, h } = toOklch(parseHex(full) ?? { r: 0, g: 0, b: 0 })
  const background = fromOklch({ l: 0.93, c: Math.min(c, 0.05), h })
  let ink = fromOklch({ l: 0.44, c: Math.min(c, 0.13), h })
  for (let l = 0.42; contrastRatio(ink, background) < inkContrastMin && l > 0; l -= 0.02)
    ink = fromOklch({ l, c: Math.min(c, 0.13), h })
  const color = toHex(ink)
  return { background: toHex(background), color, shadow: color, fill: ` fill="${color}"` }
}, 1000)

/** The colour of an icon on a background: unless chosen, the brand's, made lighter or darker where that is hard to see. */
function iconColor(
  { color, brandColor, keepsBrandColor = false }: IconLogo,
  background: string,
  textColor: string,
): string {
  if (color !== undefined) return color === 'auto' ? textColor : color
  if (keepsBrandColor) return isKeptByShields(brandColor, background, textColor) ? brandColor : textColor
  return visibleColor(`${brandColor} ${background} ${textColor}`)
}

/** WCAG 2 asks this of graphics. */
const contrastMin = 3
/** Below this a colour has no hue that anybody would miss. */
const chromaMin = 0.03

/** Brand, background and text colour in one key, because the same few icons are drawn again and again. */
const visibleColor = memo((key: string): string => {
  const [brandColor = '', background = '', textColor = ''] = key.split(' ')
  const [brand, under, text] = [parseHex(brandColor), parseHex(background), parseHex(textColor)]
  if (brand === undefined || under === undefined || text === undefined) return textColor
  if (contrastRatio(brand, under) >= contrastMin) return brandColor
  const { l, c, h } = toOklch(brand)
  if (c < chromaMin) return textColor
  const step = toOklch(text).l > toOklch(under).l ? 0.02 : -0.02
  for (let lightness = l; lightness > 0.1 && lightness < 0.96; lightness += step) {
    const shade = toHex(fromOklch({ l: lightness, c, h }))
    if (contrastRatio(parseHex(shade) ?? brand, under) >= contrastMin) return shade
  }
  return textColor
}, 1000)

/** Limits at which shields.io chooses between the brand's colour and a fixed one. */
const brightnessOnDarkMin = 0.4
const brightnessOnLightMax = 0.6

/** shields.io looks at the brand's colour alone, and draws marks that vanish on backgrounds of nearly their colour. */
const vanishingContrast = 1.5

function isKeptByShields(brandColor: string, background: string, textColor: string): boolean {
  const [brand, under] = [parseHex(brandColor), parseHex(background)]
  if (brand === undefined || under === undefined) return false
  const isFarEnough =
    textColor === '#ffffff'
      ? brightness(brand) > brightnessOnDarkMin
      : brightness(brand) < brightnessOnLightMax
  return isFarEnough && contrastRatio(brand, under) >= vanishingContrast
}

/** From 0 to 1 in steps of a hundredth, as shields.io weighs the channels. */
function brightness({ r, g, b }: Rgb): number {
  return Math.round((r * 299 + g * 587 + b * 114) / 2550) / 100
}
