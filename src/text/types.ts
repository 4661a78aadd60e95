import type { Box } from '../svg/bounds.ts'
import type { PathData } from '../svg/write-path.ts'
import type { CardFont } from './brand-fonts/brand-font.ts'

export type Direction = 'ltr' | 'rtl'

/** A named face chain: the first font that has the glyph draws it, scripts fall back to Noto. */
export type Family = 'sans' | 'serif' | 'serif-italic' | 'mono'

export interface TextStyle {
  readonly family: Family
  readonly weight: number
  /** Letter spacing in 1/1000 em; ignored for scripts that join or stack, and for `font`, which is spaced as it was made. */
  readonly trackingUnits?: number
  /** Stands before the fonts of the family, for all characters that it has. */
  readonly font?: CardFont
}

export interface FitRequest {
  /** Already cleaned by `cleanText`. */
  readonly text: string
  readonly style: TextStyle
  /** Candidate sizes, large to small. */
  readonly sizesPx: readonly number[]
  readonly maxWidthPx: number
  readonly maxHeightPx: number
  readonly maxLines: number
  /** BCP 47, chooses Han forms and casing. */
  readonly lang?: string | undefined
  /** Direction of the paragraph; `baseDirection` of text and `lang` when absent. */
  readonly direction?: Direction
  /** Line height as a multiple of the size; scripts that need more get more. 1.1 when absent. */
  readonly leading?: number | undefined
  /** True if words between backticks are code. */
  readonly hasCode?: boolean | undefined
  /** Room that stays free behind the last line, in 1/1000 em, for what is drawn there. */
  readonly tailUnits?: number | undefined
  /** True where a text that does not fit need not be cut, because the caller tries something else: it has no lines then. */
  readonly isWhole?: boolean | undefined
}

/** An outlined stretch of one line, in 1/1000 em, y down, drawn from the pen position (0, 0); `pathString` writes it. */
export interface OutlinedText {
  readonly kind: 'outline'
  readonly xUnits: number
  readonly path: PathData
}

/** One emoji cluster: a picture in the square `emojiSquare`, drawn from the pen position (xUnits, 0). */
export interface EmojiBox {
  readonly kind: 'emoji'
  readonly xUnits: number
  /** The pack's name of the picture, for example `rocket`. */
  readonly name: string
}

export interface CodeBox {
  readonly xUnits: number
  readonly widthUnits: number
}

export interface FittedLine {
  /** Offsets into the text that was fitted, without spaces at the edges. */
  readonly start: number
  readonly end: number
  /** The drawn text of the line, with the hyphen or the ellipsis at its end. */
  readonly text: string
  readonly widthPx: number
  /** Baseline below the block's top, in px. */
  readonly baselinePx: number
  readonly pieces: readonly (OutlinedText | EmojiBox)[]
  /** Where code stands, in 1/1000 em from the pen position. */
  readonly code: readonly CodeBox[]
  /** Ink box in px relative to the line's start (left edge, baseline): for tests that assert that nothing leaves its box. */
  readonly ink: Box
}

/** A laid-out paragraph. Lines are in visual order inside, top to bottom. */
export interface FittedText {
  readonly sizePx: number
  readonly lineHeightPx: number
  readonly widthPx: number
  readonly heightPx: number
  readonly direction: Direction
  readonly lines: readonly FittedLine[]
  readonly truncated: boolean
}

/** A text that a drawing needs, with the sizes of its letters where they are known to be large. */
export type TextRequest = Pick<FitRequest, 'text' | 'style' | 'lang' | 'hasCode'> &
  Partial<Pick<FitRequest, 'sizesPx'>>

export interface TextFitter {
  fit(request: FitRequest): FittedText
  /** One line at one size, cut with an ellipsis when it is wider than `maxWidthPx`. */
  line(text: string, style: TextStyle, sizePx: number, lang?: string, maxWidthPx?: number): FittedText
}

const anyPx = Number.MAX_SAFE_INTEGER

export function textFitter(fit: TextFitter['fit']): TextFitter {
  return {
    fit,
    line: (text, style, sizePx, lang, maxWidthPx = anyPx) =>
      fit({ text, style, sizesPx: [sizePx], maxLines: 1, maxWidthPx, maxHeightPx: anyPx, lang }),
  }
}
