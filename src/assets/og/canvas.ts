import { createTwoGenerationCache } from '../../lib/byte-cache.ts'
import { type Rgb, toHex } from '../../lib/color.ts'
import { memo, weakMemo } from '../../lib/memo.ts'
import type { Layer } from '../../raster/scene.ts'
import { blockPath } from '../../text/block-path.ts'
import { hasCode } from '../../text/clean-text.ts'
import { emojiBeside } from '../../text/emoji.ts'
import type { Direction, FittedText, TextFitter, TextStyle } from '../../text/types.ts'
import type { CardLogo } from './brand/brand-images.ts'
import { type LogoPlace, type PlacedLogo, placeLogo } from './logo/place-logo.ts'
import { type Align, type Area, rectangle } from './shapes.ts'
import type { InkFoot } from './theme.ts'

export interface TextSpec {
  readonly sizesPx: readonly number[]
  readonly maxLines: number
  /** Line height as a multiple of the size. */
  readonly leading?: number
  /** Added to the letter spacing of the style, in 1/1000 em. */
  readonly trackingUnits?: number
  /** Room behind the last line, in 1/1000 em. */
  readonly tailUnits?: number
  /** True where a text that does not fit is not cut, because another place is tried. */
  readonly isWhole?: boolean
}

export const textRoles = ['eyebrow', 'title', 'subtitle', 'author', 'initials', 'domain', 'footer'] as const

export type TextRole = (typeof textRoles)[number]

export type LabelRole = 'author' | 'domain' | 'footer'

export type ThemeStyles = Readonly<Record<Exclude<TextRole, 'initials' | 'footer'>, TextStyle>> & {
  /** The face of figures and versions that are the largest text; the title's when absent. */
  readonly numbers?: TextStyle
  readonly code?: TextStyle
}

/** Initials have the style of their author, and a footer line that of the domain. A template has roles of its own. */
export function styleOf(styles: ThemeStyles, role: string): TextStyle {
  if (role === 'initials') return styles.author
  if (role === 'footer') return styles.domain
  return Reflect.get(styles, role) ?? styles.subtitle
}

/** An author's face: a square PNG that we encoded, transparent outside of its circle. */
export interface CardFace {
  readonly key: string
  readonly sidePx: number
  readonly png: Uint8Array<ArrayBuffer>
}

/** A text placed in its box. Lengths in px from the card's top-left corner. */
export interface PlacedText {
  /** One of `TextRole` or of a template; `sign` for what a theme sets before the lines of a text. */
  readonly role: string
  readonly fitted: FittedText
  readonly fill: string
  /** The colour at the lower end of its ink, into which `fill` passes. */
  readonly foot?: string | undefined
  readonly align: 'left' | 'center' | 'right'
  readonly left: number
  readonly top: number
  readonly widthPx: number
  /** The room that the text must not leave. */
  readonly heightPx: number
}

/** The tint behind code: how far it reaches above the baseline, how high it is, as shares of the size, and how strong. */
const [codeTop, codeHeight, codeOpacity] = [0.79, 1.01, 0.1]

/** Capital height of the text faces, as a share of the size: what the eye takes for the top of a line. */
export const capital = 0.73

const hexOf = memo(toHex)

const anyPx = Number.MAX_SAFE_INTEGER

interface CanvasParts extends Pick<Canvas, 'direction' | 'lang' | 'face'> {
  readonly fitter: TextFitter
  readonly styles: ThemeStyles
  readonly widthPx: number
}

/**
 * The surface that themes draw on, with texts in the theme's style of their role. All x coordinates count from the start side, so a
 * theme is written once, for left-to-right, and mirrored for right-to-left.
 */
export class Canvas {
  readonly direction: Direction
  readonly lang: string | undefined
  readonly face: CardFace | undefined
  readonly layers: Layer[] = []
  readonly texts: PlacedText[] = []
  /** None or one. */
  readonly logos: PlacedLogo[] = []
  readonly #parts: CanvasParts

  constructor(parts: CanvasParts) {
    this.direction = parts.direction
    this.lang = parts.lang
    this.face = parts.face
    this.#parts = parts
  }

  fit(role: string, text: string, spec: TextSpec, maxWidthPx: number, maxHeightPx = anyPx): FittedText {
    const { fitter, styles, lang } = this.#parts
    const { trackingUnits = 0 } = spec
    const own = styleOf(styles, role)
    const style = trackingUnits === 0 ? own : trackedStyle(own)(trackingUnits)
    return fitter.fit({ ...spec, text, style, maxWidthPx, maxHeightPx, lang, hasCode: hasCode(role) })
  }

  /** One line at one size, cut with an ellipsis when it is too wide. */
  line(role: string, text: string, sizePx: number, maxWidthPx = anyPx): FittedText {
    const { fitter, styles, lang } = this.#parts
    const style = styleOf(styles, role)
    const { family, weight, trackingUnits, font } = style
    const key = `${family} ${weight} ${trackingUnits} ${font?.key} ${sizePx} ${lang} ${text}`
    const cached = lines.get(key)
    if (cached !== undefined && cached.widthPx <= maxWidthPx) return cached
    const fitted = fitter.line(text, style, sizePx, lang, maxWidthPx)
    if (!fitted.truncated) lines.set(key, fitted)
    return fitted
  }

  /** Sets a fitted text with the top at `area.y`. With an opacity it is an ornament, which nobody has to read. */
  text(
    role: string,
    fitted: FittedText,
    area: Omit<Area, 'height'> & Partial<Area>,
    color: Rgb,
    align: Align = 'start',
    inkFoot?: InkFoot,
    opacity?: number,
  ): void {
    const { direction, layers } = this
    const left = this.#leftOf(area.x, area.width)
    const fill = hexOf(color)
    const ownAlign =
      fitted.direction === direction || align === 'center' ? align : align === 'start' ? 'end' : 'start'
    const { d, scale, emoji, code } = blockPath(fitted, ownAlign, area.width, true)
    for (const { x, baseline, width } of code) {
      const [above, height] = [codeTop * fitted.sizePx, codeHeight * fitted.sizePx]
      const d = rectangle(0, 0, width, height)
      const y = area.y + baseline - above
      layers.push({ kind: 'path', d, x: left + x, y, scale: 1, fill, opacity: codeOpacity })
    }
    const [first, last] = [fitted.lines[0], fitted.lines.at(-1)]
    let foot: string | undefined
    if (inkFoot && first && last) {
      const top = area.y + first.baselinePx + first.ink.top
      const bottom = area.y + last.baselinePx + last.ink.bottom
      foot = toHex(inkFoot(top, bottom, code.length === 0 ? 0 : codeOpacity))
    }
    if (d !== '') layers.push({ kind: 'path', d, x: left, y: area.y, scale, fill, foot, opacity })
    if (opacity !== undefined) return
    for (const { name, x, y, sidePx } of emoji)
      layers.push({ kind: 'emoji', name: emojiBeside(name, fill), x: left + x, y: area.y + y, sidePx })
    const box = { left, top: area.y, widthPx: area.width, heightPx: area.height ?? fitted.heightPx }
    const side = (align === 'start') === (direction === 'ltr') ? 'left' : 'right'
    this.texts.push({ role, fitted, fill, foot, align: align === 'center' ? align : side, ...box })
  }

  /** Sets one line with its capitals centred on `centreY`. */
  label(
    role: string,
    fitted: FittedText,
    x: number,
    centreY: number,
    width: number,
    color: Rgb,
    align?: Align,
    opacity?: number,
  ): void {
    const y = centreY + (capital / 2) * fitted.sizePx - (fitted.lines[0]?.baselinePx ?? 0)
    this.text(role, fitted, { x, y, width }, color, align, undefined, opacity)
  }

  logo(logo: CardLogo, place: LogoPlace): Pick<Area, 'width' | 'height'> {
    const placed = placeLogo(logo, place, (x, width) => this.#leftOf(x, width))
    this.layers.push(...placed.layers)
    this.logos.push(placed)
    return placed.area
  }

  /** Draws the face into the square with the top at `y`. */
  drawFace({ key, png }: CardFace, x: number, y: number, sidePx: number): void {
    const box = { x: this.#leftOf(x, sidePx), y, widthPx: sidePx, heightPx: sidePx }
    this.layers.push({ kind: 'picture', key, png, ...box })
  }

  shape(d: string, x: number, y: number, width: number, color: Rgb, opacity?: number, scale = 1): void {
    this.layers.push({ kind: 'path', d, x: this.#leftOf(x, width), y, scale, fill: hexOf(color), opacity })
  }

  #leftOf(x: number, width: number): number {
    return this.direction === 'rtl' ? this.#parts.widthPx - x - width : x
  }
}

/** A style with more letter spacing. The text engine knows a style by its object. */
const trackedStyle = weakMemo((style: TextStyle) =>
  memo((units: number): TextStyle => ({ ...style, trackingUnits: (style.trackingUnits ?? 0) + units })),
)

/** Names and domains are the same on every card of a site. */
const lines = createTwoGenerationCache<FittedText>(
  2 ** 20,
  ({ lines: [line] }, { length }) => 1024 + 2 * length + (line?.text.length ?? 0) * bytesPerCharacter,
)
/** Memory of a laid-out line for each character: its pieces, and a share of the outlines that it points to. */
const bytesPerCharacter = 256
