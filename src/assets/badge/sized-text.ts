import { escapeXml } from '../../svg/escape-xml.ts'
import type { BadgeFont } from './widths/font.ts'
import { type Measure, measureText } from './widths/measure.ts'

/** Where a text stands, centred at `x`. Positions are in tenths of a px: badges draw text big and scale it down. */
export interface TextPosition {
  readonly x: number
  readonly y: number
  /** Further SVG attributes, each with a space before it. */
  readonly attributes: string
  /** True where no group around it scales by a tenth. */
  readonly scaled: boolean
}

export type TextWriter = (text: SizedText, place: TextPosition) => string

/** Draws with the fonts of whoever looks at it. `textLength` holds measured text in its place whatever the font. */
export function writeText(text: SizedText, { x, y, attributes, scaled }: TextPosition): string {
  const { markup, measure, widthPx } = text
  const length = measure.exact ? ` textLength="${10 * widthPx}"` : ''
  const direction = measure.direction === 'rtl' ? ' direction="rtl"' : ''
  const transform = scaled ? ' transform="scale(.1)"' : ''
  return `<text x="${x}" y="${y}"${length}${transform}${direction}${attributes}>${markup}</text>`
}

/** Text with the room that the layout gives it. */
export interface SizedText {
  readonly text: string
  /** The text, escaped. */
  readonly markup: string
  readonly font: BadgeFont
  readonly measure: Measure
  readonly widthPx: number
}

/** The room in the classic and social styles: an odd width, so that the centre falls on a pixel. */
export function sizeText(text: string, font: BadgeFont): SizedText {
  const measure = measureText(text, font)
  return {
    text,
    markup: escapeXml(text),
    font,
    measure,
    widthPx: text === '' ? 0 : Math.floor(measure.widthPx) | 1,
  }
}
