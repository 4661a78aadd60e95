import type { Badge } from './badge.ts'
import { logoElement } from './logo-element.ts'
import { linkPart, svgRoot } from './svg-root.ts'

/** A badge of two rectangles side by side, laid out. */
interface TwoParts {
  readonly heightPx: number
  /** The opening tag around the texts, from `textGroupOf`. */
  readonly textGroup: string
  readonly logoStartPx: number
  /** Width of the left rectangle; 0 for a badge of one part. */
  readonly leftPx: number
  readonly rightPx: number
  readonly labelColor: string
  /** SVG of the rectangles. */
  readonly background: string
  /** SVG of the texts; the label's is empty without one. */
  readonly label: string
  readonly message: string
}

/** The document of such a badge. */
export function twoPartsSvg(badge: Badge, parts: TwoParts): string {
  const { heightPx, leftPx, label, message } = parts
  const background = leftPx > 0 ? parts.labelColor : badge.color
  const body =
    parts.background +
    parts.textGroup +
    logoElement(badge.logo, parts.logoStartPx, heightPx, background) +
    (label && linkPart(badge, 0, label)) +
    linkPart(badge, 1, message) +
    '</g>'
  return svgRoot(badge, { widthPx: leftPx + parts.rightPx, heightPx }, body)
}

/** The opening tag of a group of texts in badges' fonts, with a size in tenths of a px. */
export function textGroupOf(fontSize: number): string {
  return `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="${fontSize}">`
}
