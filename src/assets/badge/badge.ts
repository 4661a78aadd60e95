import { cleanText, countCodePoints } from '../../text/clean-text.ts'
import { colorOf } from './color-names.ts'

export const badgeStyles = [
  'flat',
  'flat-square',
  'plastic',
  'for-the-badge',
  'social',
  'soft',
  'rounded',
] as const

export type BadgeStyle = (typeof badgeStyles)[number]

export const logoHeightPx = 14

/** A badge with every default filled in: equal badges give equal bytes. Text is clean, colours are `#rrggbb`. */
export interface Badge {
  readonly style: BadgeStyle
  /** Empty for a badge of one part. */
  readonly label: string
  readonly message: string
  readonly color: string
  readonly more?: readonly { readonly message: string; readonly color: string }[] | undefined
  /** The badge is at least this wide, before `scale`: its last part grows. */
  readonly widthPxMin?: number | undefined
  /** BCP 47: how its capitals are written. */
  readonly lang?: string | undefined
  /** The style's grey when absent; when present the left part is drawn even without a label. */
  readonly labelColor?: string | undefined
  readonly logo?: Logo | undefined
  /** Absolute web addresses: one for the whole badge, or one for each part. */
  readonly links: readonly string[]
  /** Appended to every id, for pages that inline several badges. */
  readonly idSuffix: string
  readonly scale: number
  /** `shields` guesses the width of emoji as shields.io does; otherwise it is that of fonts. */
  readonly emojiWidth?: 'shields' | undefined
  /** The accessible name; label and message when absent. */
  readonly title?: string | undefined
}

export type Logo = IconLogo | { readonly kind: 'image'; readonly href: string; readonly widthPx: number }

export interface IconLogo {
  readonly kind: 'icon'
  readonly slug: string
  readonly d: string
  readonly viewBox: string
  readonly widthPx: number
  /** The icon has it where it is readable. */
  readonly brandColor: string
  /** Instead of the brand's colour; `auto` is that of text on the background. */
  readonly color?: string | undefined
  /** The brand's colour is kept where shields.io keeps it, although it is hard to see there. */
  readonly keepsBrandColor?: boolean | undefined
}

const partsMax = 3
const valueCharsMax = 60

/** The one spelling of further parts such as `arm64:blue|x64`, colours as `#rrggbb`; undefined for any other text. */
export function parseMoreParts(text: string): string | undefined {
  const parts = text.split('|', partsMax + 1).map(parsePart)
  return parts.length > partsMax || parts.includes(undefined) ? undefined : parts.join('|')
}

function parsePart(part: string): string | undefined {
  const [text, name] = valueAndColor(part)
  const value = cleanText(text)
  const length = countCodePoints(value)
  if (length < 1 || length > valueCharsMax) return undefined
  if (name === undefined) return value
  const color = colorOf(name)
  return color === undefined ? undefined : `${value}:${color}`
}

/** A part in two at its last colon. */
export function valueAndColor(part: string): [value: string, color?: string] {
  const colon = part.lastIndexOf(':')
  return colon < 0 ? [part] : [part.slice(0, colon), part.slice(colon + 1)]
}
