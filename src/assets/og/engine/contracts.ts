import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ParameterError } from '../../../errors.ts'
import type { Rgb } from '../../../lib/color.ts'
import { formatted } from '../../../lib/fields.ts'
import type { BackgroundPicture } from '../../../raster/scene.ts'
import type { FittedText, TextStyle } from '../../../text/types.ts'
import type { Canvas, TextSpec, ThemeStyles } from '../canvas.ts'
import type { LogoPlace } from '../logo/place-logo.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import type { Align, Area } from '../shapes.ts'
import type { CardColors, CardSize, CardTexts, InkFoot, TextAreaKind, TextColors } from '../theme.ts'

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

/** A card whose texts are being set. */
export interface CardContext {
  readonly texts: CardTexts
  readonly canvas: Canvas
  readonly boxes: Boxes
  readonly size: CardSize
  readonly colors: CardColors
}

/** A mark before a label. */
export interface Ornament {
  /** The room that it takes before the text. */
  indentPx(card: CardContext): number
  /** The room that it takes after the text, in units. */
  readonly trail?: number
  /** Set where it is behind the text: the diameter of a face that fits on it, in units. A face takes the place of all others. */
  readonly facePx?: number
  /** Draws it at the start of its room, before a text `textPx` wide. */
  draw(
    card: CardContext,
    place: { readonly x: number; readonly centreY: number; readonly textPx: number },
  ): void
}

/** Where everything is. Lengths are in px; x counts from the side where the card's language starts. */
export interface Boxes {
  /** Where text may be: the card within its margins, without the drawing beside it. */
  readonly content: Area
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
  /** Bounds of eyebrow, title and subtitle: beside a filled row of labels, and beside an empty one. */
  readonly text: Sides & {
    readonly top: number
    readonly bareTop: number
    readonly bottom: number
    readonly bareBottom: number
    /** Where the block is in the free height: 0 top, 0.5 middle, 1 bottom. */
    readonly anchor: number
    readonly align: Align
  }
  /** A short line above the title. */
  readonly eyebrow: TextSpec & {
    readonly ornament: Ornament
    /** True if the ornament is there without an eyebrow. */
    readonly isAlways?: boolean
  }
  readonly title: TextSpec & {
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
  readonly subtitle: TextSpec & {
    /** The role of the text where a template has another one in the place of the subtitle. */
    readonly role?: string
    readonly maxWidthPx: number
    /** A sign before each line, in the style of the subtitle; its room is a multiple of the text's size. */
    readonly sign?: { readonly text: string; readonly indent: number }
  }
  readonly author: LabelBox
  readonly domain: LabelBox
  readonly footer: LabelBox
  readonly head: RowBox
  readonly foot: RowBox
  readonly logo: Pick<LogoPlace, 'area' | 'sidePx' | 'align' | 'anchor'> & {
    /** The row that gives it room; undefined where it has a place of its own. */
    readonly row: RowName | undefined
    /** The text block begins this far below the logo; undefined where they are side by side. */
    readonly gapPx?: number
  }
  /** Draws what depends on where the texts are, such as a cursor behind the title. */
  readonly finish?: (canvas: Canvas, block: TextBlock, colors: CardColors) => void
}

interface Sides {
  readonly x: number
  readonly widthPx: number
}

/** Where the text block ended up. */
export interface TextBlock {
  readonly title: FittedText
  /** The title's area, from the top of its first line. */
  readonly area: Area
  readonly top: number
  readonly bottom: number
}

/** A line of text that belongs to one of the rows. */
export interface LabelBox {
  readonly row: RowName
  readonly sizePx: number
  readonly ornament: Ornament
}

export type RowName = 'head' | 'foot'

/** A row of labels: in one line, and in several where it is too narrow for them. */
export interface RowBox extends Sides {
  /** The middle of its outermost line. */
  readonly centreY: number
  readonly linePx: number
  readonly align: Align
  /** True if centred labels are beside each other where they fit; else they are around the middle of the row. */
  readonly isJoined?: boolean
  /** A line between the row and the text. */
  readonly rule?: { readonly y: number; readonly px: number }
}

/**
 * The subject of a card. A template says which parameters it has and how it fills the text area that a theme gives; it knows no
 * theme, and a theme knows the kind of its text area alone. Without `draw` the area has eyebrow, title and subtitle.
 */
export interface Template {
  /** Ends the sentence "A card of …". */
  readonly about: string
  readonly area?: TextAreaKind
  /** Its own parameters, and those of every card that it reads otherwise. */
  readonly parameters: TProperties
  /** The parameter without which it cannot be drawn. */
  readonly required?: string
  /** Its texts by their role, in the order in which they are read; a role of every card is one that it sets in another style. */
  readonly roles: Readonly<Record<string, TemplateRole>>
  /** The role of its largest text; the title when absent. */
  readonly headline?: string
  /** The texts as they are drawn, by their role. Empty texts are undefined. */
  texts(params: object, lang: string): OwnTexts
  /** Roles of texts in the line of the eyebrow, behind it. */
  readonly details?: readonly string[]
  /** The parts of the byline besides the author. */
  readonly byline?: {
    /** The role of a text below the author's name, or in its place. */
    readonly second?: string
    /** True if the author's face, or initials in its place, are before the name. */
    readonly hasFace?: boolean
  }
  draw?(stage: Stage): void
  /** Loads what draws it, in the place of `draw`: a process that draws nothing does not need it. */
  load?(): Promise<Required<Pick<Template, 'draw'>>>
  /** The mistake of parameters that are right each by itself. */
  rule?(query: Readonly<Record<string, unknown>>): ParameterError | undefined
}

type OwnTexts = Readonly<Record<string, string | undefined>>

interface TemplateRole {
  /** The parameter that the text comes from. */
  readonly parameter: string
  /** Derived from the styles of a theme. It is asked once for each of them. */
  style(styles: ThemeStyles): TextStyle
  /** True if another role says it, so that nobody is told twice. */
  readonly isSilent?: boolean
}

/** The means of a template: the texts of a card and the area that its theme gives them. */
export interface Stage extends CardContext {
  readonly area: Area
  /** Sets eyebrow, title and subtitle, in the middle or wherever the theme has them in the height of the area. */
  setTexts(change?: BlockChange): TextBlock
}

/** The differences from the block of a usual card: `above` all, `lead` between eyebrow and title, `tail` below all. */
export interface BlockChange extends Partial<Pick<Stage, 'texts' | 'area' | 'boxes'>> {
  readonly above?: Part | undefined
  readonly lead?: Part | undefined
  readonly tail?: Part | undefined
}

/** A part of a text block, as wide as the block. */
export interface Part {
  readonly heightPx: number
  /** Between it and the title, or what is above it. */
  readonly gapPx: number
  draw(area: Area): void
}

/** The height that a part takes, with its gap. */
export function partPx(part: Pick<Part, 'heightPx' | 'gapPx'> | undefined): number {
  return part === undefined ? 0 : part.heightPx + part.gapPx
}

/** A text of its own, `gap` units from what is above it. */
export function textPart(stage: Stage, role: string, fitted: FittedText, gap: number, color: Rgb): Part {
  const { canvas, boxes } = stage
  const { unit, text } = boxes
  const draw = (area: Area) => canvas.text(role, fitted, area, color, text.align)
  return { heightPx: fitted.heightPx, gapPx: gap * unit, draw }
}

/** The sizes that a text may take, each a tenth smaller than the one before. */
export function sizeSteps(largestPx: number, smallestPx: number): readonly number[] {
  const steps: number[] = []
  for (let sizePx = largestPx; sizePx > smallestPx * 1.05; sizePx *= 0.9) steps.push(Math.round(sizePx))
  return [...steps, smallestPx]
}

export function scaledSizes(sizesPx: readonly number[], unit: number): readonly number[] {
  return sizesPx.map((sizePx) => Math.round(sizePx * unit))
}

/** The parameter of templates that show a face. */
export const face = formatted('picture', parameterTexts.face)

/** A template whose `texts` reads the parameters that it has. */
export function defineTemplate<Fields extends TProperties>(
  template: Omit<Template, 'parameters' | 'texts'> & {
    readonly parameters: Fields
    texts(params: Partial<Static<TObject<Fields>>>, lang: string): OwnTexts
  },
): Template & { readonly parameters: Fields } {
  return template
}
