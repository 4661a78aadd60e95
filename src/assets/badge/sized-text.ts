import { escapeXml } from '../../svg/escape-xml.ts'
import type { Badge } from './badge.ts'
import type { BadgeFont } from './widths/font.ts'
import type { Measure, MeasureText } from './widths/measure.ts'

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

/** How a badge's texts are measured and drawn. */
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

/** Text with the width that the layout gives it. */
export interface SizedText {
  readonly text: string
  /** The text, escaped. */
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
