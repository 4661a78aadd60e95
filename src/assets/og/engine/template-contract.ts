import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ParameterError } from '../../../errors.ts'
import type { Rgb } from '../../../lib/color.ts'
import { formatted } from '../../../lib/fields.ts'
import type { FittedText, TextStyle } from '../../../text/types.ts'
import type { ThemeStyles } from '../canvas.ts'
import words from '../parameter-texts.json' with { type: 'json' }
import type { Area } from '../shapes.ts'
import type { CardTexts, TextAreaKind } from '../theme.ts'
import type { Boxes, CardContext, TextBlock } from './theme-contract.ts'

/**
 * The subject of a card. A template says which parameters it has and how it fills the text area that a theme gives; it knows no
 * theme, and a theme knows the kind of its text area alone. Without `draw` the area has eyebrow, title and subtitle.
 */
export interface Template {
  /** Ends the sentence "A card of …". */
  readonly about: string
  readonly area: TextAreaKind
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
  load?(): Promise<Drawing>
  /** The mistake of parameters that are right each by itself. */
  rule?(query: Readonly<Record<string, unknown>>): ParameterError | undefined
}

export interface Drawing {
  draw(stage: Stage): void
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

/** The differences from the block of a usual card. */
export interface BlockChange {
  readonly texts?: CardTexts
  readonly area?: Area
  readonly boxes?: Boxes
  /** Above all. */
  readonly above?: Part | undefined
  /** Between eyebrow and title. */
  readonly lead?: Part | undefined
  /** Below all. */
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
export function textPart(
  { canvas, boxes }: Stage,
  role: string,
  fitted: FittedText,
  gap: number,
  color: Rgb,
): Part {
  const { unit, text } = boxes
  const draw = (area: Area) => canvas.text(role, fitted, area, color, text.align)
  return { heightPx: fitted.heightPx, gapPx: gap * unit, draw }
}

/** The parameter of templates that show a face. */
export const face = formatted('picture', words.face)

/** A template whose `texts` reads the parameters that it has. */
export function defineTemplate<Fields extends TProperties>(
  template: Omit<Template, 'parameters' | 'texts'> & {
    readonly parameters: Fields
    texts(params: Partial<Static<TObject<Fields>>>, lang: string): OwnTexts
  },
): Template & { readonly parameters: Fields } {
  return template
}
