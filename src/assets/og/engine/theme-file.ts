import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Shape } from '../card-sizes.ts'
import type { Look, Scheme } from '../theme.ts'

/**
 * The format of theme files. Lengths are in px of the first size of each shape. A position counts from the top, and from
 * the bottom where it is negative; a pair is a share of the card's height, and the px beyond it.
 */

const { Number: number } = Type

function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Partial(Type.Object(properties))
}

function oneOf<const Names extends readonly string[]>(...names: Names) {
  return Type.Unsafe<Names[number]>(Type.String({ enum: names }))
}

const length = Type.Union([number(), Type.Tuple([number(), number()])])

export type Length = Static<typeof length>

const align = oneOf('start', 'center', 'end')
const mark = oneOf('disc', 'globe', 'dash', 'prompt', 'slab', 'centred-slab')

const textSpec = {
  sizes: Type.Union([
    Type.Array(number(), { minItems: 1 }),
    Type.Object(
      { from: number(), to: number() },
      { description: 'Each a tenth smaller than the one before' },
    ),
  ]),
  lines: Type.Integer({ minimum: 1 }),
}

/** Distances from both sides, in place of the margin. */
const sides = optional({ start: length, end: length })

const row = Type.Composite([
  sides,
  Type.Object({ y: length, line: number({ description: 'The distance between lines' }) }),
  optional({
    align,
    rule: Type.Object({ y: length, px: number() }),
  }),
])

const label = Type.Composite([
  Type.Object({ row: oneOf('head', 'foot'), size: number() }),
  optional({ mark }),
])

export const layoutSchema = Type.Composite([
  Type.Object({
    margin: number(),
    content: Type.Composite([sides, Type.Object({ top: length, bottom: length })]),
    text: Type.Composite([
      sides,
      Type.Object({ top: length, bottom: length, anchor: number({ minimum: 0, maximum: 1 }) }),
      optional({
        bareTop: Type.Union([length], { description: 'Beside an empty row' }),
        bareBottom: length,
        bottomAboveLogo: length,
        align,
      }),
    ]),
    eyebrow: Type.Composite([
      Type.Object(textSpec),
      optional({ mark, isAlways: Type.Boolean({ description: 'The mark is there without an eyebrow' }) }),
    ]),
    title: Type.Composite([
      Type.Object(textSpec),
      Type.Object({
        leading: number(),
        height: Type.Union([length], { description: 'At most 1 a share of the card' }),
      }),
      optional({ tail: number({ description: 'Room behind the last line, in em' }), whole: number() }),
    ]),
    subtitle: Type.Composite([
      Type.Object(textSpec),
      Type.Object({ leading: number(), width: number({ description: 'At most 1 a share of the content' }) }),
      optional({ sign: Type.Object({ text: Type.String(), indent: number() }) }),
    ]),
    author: label,
    domain: label,
    footer: label,
    head: row,
    foot: row,
    logo: Type.Composite([
      Type.Object({
        y: length,
        height: length,
        size: number({ description: 'The side of a square logo' }),
        width: number({ description: 'A share of the content' }),
        align,
      }),
      optional({ row: oneOf('head', 'foot'), end: length, anchor: number(), gap: number() }),
    ]),
  }),
  optional({
    zoom: number({ description: 'All lengths but labels are multiplied by it' }),
    scale: number({ description: 'Labels and their marks are multiplied by it' }),
    cursor: optional({
      lines: number({ description: 'Where the signs of empty lines are, in place of the text' }),
    }),
  }),
])

export type ColorValue =
  | string
  | { readonly oklch: readonly [l: number, c: number, h: number] }
  | {
      readonly from: string
      readonly lightness?: number | readonly [number, number]
      readonly contrast?: number
      readonly on?: string
    }
  | { readonly mix: readonly [under: string, over: string, share: number] }
  /** The palest shade that can be read on another. */
  | { readonly pale: string; readonly on: string }
  /** A brand's second colour, where it has one. */
  | { readonly brandOr: ColorValue }
  /** The accent below letters, between two lightnesses. */
  | { readonly disc: readonly [number, number] }

type Palette = Readonly<Record<string, ColorValue>>

const font = Type.Composite([
  Type.Object({ family: oneOf('sans', 'serif', 'mono'), weight: Type.Integer() }),
  optional({ italic: Type.Boolean(), spacing: number({ description: 'Letter spacing in em' }) }),
])

export type Font = Static<typeof font>

interface Drawn {
  /** False where a logo takes its place. */
  readonly withLogo?: false
}

export interface PatternItem extends Drawn {
  readonly pattern: 'grid' | 'corners'
  readonly colors?: readonly string[]
  readonly cell?: number
  readonly inset?: number
  readonly length?: number
  readonly stroke?: number
}

/** From the end of the card where it is negative. */
type Across = Length | 'middle'

export type DrawnItem =
  | PatternItem
  | (Drawn & { readonly color: string } & (
        | { readonly rect: readonly [x: Across, y: Length, width: number, height: number] }
        | { readonly frame: readonly (readonly [inset: number, stroke: number])[] }
        /** Path data, from a point of the card. */
        | { readonly path: string; readonly at: readonly [x: Across, y: Length] }
      ))

export type Layout = Static<typeof layoutSchema> & { readonly drawing?: readonly DrawnItem[] }

type DeepPartial<T> = {
  readonly [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | null
}

type Base = Layout | (DeepPartial<Layout> & { readonly like: Shape })

/** A change of the layouts for some cards: of `like` in place of the shape's own. */
interface Variant {
  readonly when: {
    readonly shapes?: readonly Shape[]
    readonly align?: Look['align']
    /** Lower than four fifths of its width. */
    readonly isLow?: boolean
    readonly hasPicture?: boolean
  }
  readonly like?: Shape
  readonly layout?: DeepPartial<Layout>
}

export interface ThemeFile {
  readonly mintmark: 1
  readonly about: string
  readonly scheme: Scheme
  readonly fonts: Readonly<Record<'eyebrow' | 'title' | 'subtitle' | 'author' | 'domain', Font>>
  readonly colors: Readonly<Record<Scheme, Palette>> & {
    readonly ruleOpacity?: Readonly<Record<Scheme, number>>
    /** In both schemes, and on a background of a brand. */
    readonly both?: Palette
    readonly custom?: Palette
    /** Contrast of the title on a background of a brand. */
    readonly contrast?: number
  }
  /** Colours of the drawing that may be below a logo, beside the background. */
  readonly logoOn?: readonly string[]
  readonly picture: {
    /** Share of the card beside a picture, or below it; where there is none, texts alone are below. */
    readonly share: Readonly<Partial<Record<Shape, number>>>
    /** True if a picture as light or dark as the scheme covers the card. */
    readonly mayCover?: boolean
  }
  readonly layouts: Readonly<Record<Shape, Base>>
  readonly variants?: readonly Variant[]
}
