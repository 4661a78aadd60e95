import type { Rgb } from '../../../lib/color.ts'
import type { BackgroundPicture } from '../../../raster/scene.ts'
import type { FittedText } from '../../../text/types.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import type { Canvas, InkFoot, LabelRole, TextSpec, ThemeStyles } from '../canvas.ts'
import type { CardSize, Shape } from '../card-sizes.ts'
import type { LogoPlace } from '../logo/place-logo.ts'
import type { Align, Area } from '../shapes.ts'
import type { CardColors, CardTexts, Look, TextColors } from '../theme.ts'
import type { Ornament } from './ornaments.ts'

/**
 * Everything that a theme says. The engine draws it, so a theme that leaves out a logo, a picture or a footer line does
 * not compile. Lengths are in px; x counts from the side where the card's language starts.
 */
export interface ThemeContract<Colors extends CardColors> {
  readonly styles: ThemeStyles
  /** The number of patterns for titles to choose from; 1 when the background is the same for every title. */
  readonly patterns: number
  /** The colours of one look: its scheme, accent and the brand's own colours. */
  colors(look: Look): Colors
  /** Where everything is, on a card or on a part of one. */
  boxes(size: CardSize, look: Look): Boxes
  /** The tile below a logo, where the theme paints one. */
  readonly tile?: (logo: CardLogo, colors: Colors, look: Look) => TilePlace | undefined
  /** The background without a picture of the brand. */
  background(look: Look, colors: Colors, boxes: Boxes): Ground
  /** Draws texts of the card below the others, for what they look like. */
  readonly ornaments?: (look: Look, colors: Colors, texts: CardTexts, canvas: Canvas) => void
  /** The share of a card that the theme keeps beside a picture of the brand, or below it; where there is none, texts alone are below. */
  readonly sheet: Readonly<Partial<Record<Shape, number>>>
  /** True if a picture as light or dark as the scheme covers the card. */
  readonly isCovered?: boolean
  /** Counterclockwise path data of what is seen of a picture, where that is not its whole part of the card. */
  readonly opening?: (frame: Area, size: CardSize) => string
  /** The place of the theme's drawing that a picture has in its stead. */
  readonly inPlace?: (look: Look) => Area | undefined
  /** The drawing below the texts before a picture that covers the card, as SVG. */
  readonly pane?: (boxes: Boxes, size: CardSize, colors: Colors) => string
}

export type TilePlace = Required<Pick<LogoPlace, 'area' | 'sidePx' | 'ink' | 'backgrounds' | 'tile'>>

/** The background of a card. */
export interface Ground {
  readonly color: Rgb
  /** SVG for left-to-right, which is mirrored for right-to-left. */
  readonly defs?: string
  readonly body: string
  /** Colours that may lie below a logo: the extremes are enough. */
  readonly logoBackgrounds: readonly Rgb[]
  readonly inkFoot?: InkFoot | undefined
}

export interface PictureGround extends Ground {
  readonly boxes: Boxes
  readonly picture: BackgroundPicture
  /** Inks that can be read on the picture, where texts are on it. */
  readonly inks?: TextColors
}

export interface Boxes {
  /** Where text may be: the card within its margins, without the drawing beside it. */
  readonly content: Area
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
  /** The block of eyebrow, title and subtitle. */
  readonly text: TextBox
  readonly eyebrow: EyebrowBox
  readonly title: TitleBox
  readonly subtitle: SubtitleBox
  readonly byline: LabelBox
  readonly domain: LabelBox
  readonly footer: LabelBox
  readonly head: RowBox
  readonly foot: RowBox
  readonly logo: LogoBox
  /** Draws what depends on where the texts are, such as a cursor behind the title. */
  readonly finish?: (canvas: Canvas, block: TextBlock, colors: CardColors) => void
}

export interface TitleBox extends TextSpec {
  /** The role of the text where a template has another one in the place of the title. */
  readonly role?: string
  /** The sign that is drawn large before it, and is the beginning of its first line. */
  readonly opening?: string
  readonly maxHeightPx: number
  /** The smallest size of a long title that is shown whole; that at which others are cut, when absent. */
  readonly wholePxMin?: number
  /** The smallest size of a title that is not the largest text of its card: there it is cut. */
  readonly floorPx?: number
}

/** Where the text block ended up. */
export interface TextBlock {
  readonly title: FittedText
  /** The title's area, from the top of its first line. */
  readonly area: Area
  /** Above the first line of the block. */
  readonly top: number
  /** Below the last line of the block. */
  readonly bottom: number
}

export interface SubtitleBox extends TextSpec {
  /** The role of the text where a template has another one in the place of the subtitle. */
  readonly role?: string
  readonly maxWidthPx: number
  /** A sign before each line, in the style of the subtitle. */
  readonly sign?: LineSign
}

export interface LineSign {
  readonly text: string
  /** The room of the sign, as a multiple of the text's size. */
  readonly indent: number
}

/** A short line above the title. */
export interface EyebrowBox extends TextSpec {
  readonly ornament: Ornament
  /** True if the ornament is there without an eyebrow. */
  readonly isAlways?: boolean
}

/** Bounds of the text block: beside a filled row of labels, and beside an empty one. */
export interface TextBox {
  readonly top: number
  readonly bareTop: number
  readonly bottom: number
  readonly bareBottom: number
  /** The content's when absent. */
  readonly x?: number
  readonly widthPx?: number
  /** Where the block is in the free height: 0 top, 0.5 middle, 1 bottom. */
  readonly anchor: number
  readonly align: Align
}

/** A line of text that belongs to one of the rows. */
export interface LabelBox {
  readonly row: RowName
  readonly sizePx: number
  readonly ornament: Ornament
}

export type RowName = 'head' | 'foot'

/** A row of labels: in one line, and in several where it is too narrow for them. */
export interface RowBox {
  /** The middle of its outermost line. */
  readonly centreY: number
  /** Distance between lines. */
  readonly linePx: number
  readonly align: Align
  /** The content's when absent. */
  readonly x?: number
  readonly widthPx?: number
  /** The order of the labels in the row, where it is not byline, domain, footer. */
  readonly labels?: readonly LabelRole[]
  /** True if centred labels are beside each other where they fit; else they are around the middle of the row. */
  readonly isJoined?: boolean
  /** A line between the row and the text. */
  readonly rule?: { readonly y: number; readonly px: number }
}

export interface LogoBox extends Pick<LogoPlace, 'area' | 'sidePx' | 'align' | 'anchor'> {
  /** The row that gives it room; undefined where it has a place of its own. */
  readonly row: RowName | undefined
  /** The text block begins this far below the logo; undefined where they are side by side. */
  readonly gapPx?: number
}
