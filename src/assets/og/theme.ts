import { type Rgb, relativeLuminance } from '../../lib/color.ts'
import type { Direction } from '../../text/types.ts'
import type { Accent } from './accent.ts'
import type { BrandPicture } from './brand/brand-images.ts'

/** Shape of a card. Each theme has a composition for each shape. */
export type Shape = 'wide' | 'square' | 'tall'

export interface CardSize {
  readonly widthPx: number
  readonly heightPx: number
  readonly shape: Shape
  /** The px of a length of a theme's composition: 1 for the first size of each shape. */
  readonly unit: number
}

/** The sizes that networks ask for, in the order in which documents list them. */
export const cardSizes = {
  og: { widthPx: 1200, heightPx: 630, shape: 'wide', unit: 1 },
  github: { widthPx: 1280, heightPx: 640, shape: 'wide', unit: 640 / 630 },
  x: { widthPx: 1600, heightPx: 900, shape: 'wide', unit: 4 / 3 },
  square: { widthPx: 1080, heightPx: 1080, shape: 'square', unit: 1 },
  portrait: { widthPx: 1080, heightPx: 1350, shape: 'tall', unit: 1 },
  pin: { widthPx: 1000, heightPx: 1500, shape: 'tall', unit: 1 },
} as const satisfies Readonly<Record<string, CardSize>>

export type SizeName = keyof typeof cardSizes

export const sizeNames = Object.keys(cardSizes) as readonly SizeName[]

/** The texts of a card. Empty texts are undefined. */
export interface CardTexts {
  /** A short line above the title. */
  readonly eyebrow: string | undefined
  readonly title: string
  readonly subtitle: string | undefined
  readonly author: string | undefined
  readonly initials: string | undefined
  readonly domain: string | undefined
  readonly footer: string | undefined
  /** Where the footer line stands in its place, the domain is undefined. */
  readonly footerInPlaceOf?: 'domain' | undefined
  readonly template?: TemplateTexts
}

/** A template's additions to the texts of a card. */
export interface TemplateTexts {
  readonly name: string
  readonly own: Readonly<Record<string, string>>
  /** Behind the eyebrow, in its line. */
  readonly details: readonly RoleText[]
  /** Below the author's name, or in its place. */
  readonly second: RoleText | undefined
  /** True if the author's face, or initials in its place, are before the name. */
  readonly hasFace: boolean
  /** The language of the card, guessed where nobody says it. */
  readonly lang: string
  readonly params: object
}

export interface RoleText {
  readonly role: string
  readonly text: string
}

/** All that a theme knows of a template: the kind of text area that it wants. */
export type TextAreaKind = 'usual' | 'picture' | 'code'

export const alignments = ['start', 'center'] as const

export const schemes = ['light', 'dark'] as const

export type Scheme = (typeof schemes)[number]

/** Where a picture stands: to all edges, beside the texts (above them where the card is no wide one), or above them. */
export const pictureLayouts = ['cover', 'beside', 'top'] as const

export type PictureLayout = (typeof pictureLayouts)[number]

export interface BrandBackground {
  readonly key: string
  readonly color?: Rgb
  /** Used as each theme uses a second colour. */
  readonly second?: Rgb
  readonly picture?: BrandPicture
  /** The theme's own when absent. */
  readonly layout?: PictureLayout
}

/** The look of a card before its texts are known. */
export interface Look {
  readonly accent: Accent
  /** The theme's own when absent. */
  readonly scheme?: Scheme | undefined
  /** The theme's own when absent. */
  readonly align?: 'start' | 'center' | undefined
  readonly size: CardSize
  readonly textArea: TextAreaKind
  /** Some themes make room for a logo. */
  readonly hasLogo: boolean
  readonly brandBackground?: BrandBackground | undefined
  /** Chosen by the title, below the theme's number of patterns. */
  readonly pattern: number
  /** Direction of the card, because pictures are not mirrored with it. */
  readonly direction: Direction
}

/**
 * The colour into which the ink of a title passes from the top of its letters to their bottom, in px of the card. Marks of code
 * tint the background with `tint` of the ink.
 */
export type InkFoot = (top: number, bottom: number, tint: number) => Rgb

export interface TextColors {
  readonly ink: Rgb
  readonly paleInk: Rgb
}

export interface CardColors extends TextColors {
  readonly background: Rgb
  readonly eyebrow: Rgb
  readonly author: Rgb
  readonly domain: Rgb
  readonly footer: Rgb
  /** Discs, dashes and slabs: `onMark` is readable on it. */
  readonly mark: Rgb
  readonly onMark: Rgb
  /** Lines above and below rows of labels. */
  readonly rule: Rgb
  readonly ruleOpacity?: number
  readonly inkFoot?: InkFoot | undefined
}

export function schemeOf({ ink, background }: Pick<CardColors, 'ink' | 'background'>): Scheme {
  return relativeLuminance(ink) > relativeLuminance(background) ? 'dark' : 'light'
}
