import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Shape } from '../theme.ts'
import usual from '../themes/usual.json' with { type: 'json' }
import itemMembers from './item-members.json' with { type: 'json' }

/**
 * The format of theme files. Lengths are in px of the first size of each shape. A position counts from the top, and from
 * the bottom where it is negative; a pair is a share of the card's height, and the px beyond it.
 */

const { Boolean: yesOrNo } = Type

function oneOf<const Names extends readonly string[]>(...names: Names) {
  return Type.Unsafe<Names[number]>(Type.Union(names.map((name) => Type.Literal(name))))
}

function members<Required extends TProperties, Optional extends TProperties = Record<never, never>>(
  required: Required,
  optional = {} as Optional,
) {
  const all = [Type.Object(required), Type.Partial(Type.Object(optional))] as const
  return Type.Composite([...all], { additionalProperties: false })
}

function optional<Fields extends TProperties>(fields: Fields) {
  return members({}, fields)
}

function listOf<Item extends TSchema>(item: Item, maxItems: number, minItems = 1) {
  return Type.Array(item, { minItems, maxItems })
}

function between(minimum: number, maximum: number, description?: string) {
  return Type.Number({ minimum, maximum, ...(description !== undefined && { description }) })
}

const px = between(-4000, 4000)
const strokePx = between(0.25, 400)
const sizePx = between(8, 400)
const share = between(0, 1)
const leading = between(0.8, 2.5, 'Line height as a multiple of the size')

const length = Type.Union([px, Type.Tuple([between(-2, 2), px])])

export type Length = Static<typeof length>

const across = Type.Union([length, Type.Literal('middle')])

const shapeName = oneOf('wide', 'square', 'tall')
const align = oneOf('start', 'center', 'end')
const row = oneOf('head', 'foot')
const mark = oneOf('disc', 'globe', 'dash', 'prompt', 'slab', 'centred-slab')

const textSpec = {
  sizes: Type.Union([listOf(sizePx, 32), members({ from: sizePx, to: sizePx })], {
    description: 'The sizes that may be tried, or the largest and the smallest of sizes a tenth apart',
  }),
  lines: Type.Integer({ minimum: 1, maximum: 12 }),
}

/** Distances from both sides, in place of the margin. */
const sides = { start: length, end: length }

const rowBox = members(
  { y: length, line: between(0, 400, 'The distance between lines') },
  { ...sides, align, rule: members({ y: length, px: strokePx }) },
)

const label = members({ row, size: sizePx }, { mark })

export const layoutSchema = members(
  {
    margin: between(0, 600),
    content: members({ top: length, bottom: length }, sides),
    text: members(
      { top: length, bottom: length, anchor: between(0, 1, '0 at the top of its room, 1 at the bottom') },
      {
        ...sides,
        bareTop: Type.Union(length.anyOf, { description: 'The top beside an empty row' }),
        bareBottom: Type.Union(length.anyOf, { description: 'The bottom beside an empty row' }),
        bottomAboveLogo: length,
        align,
      },
    ),
    eyebrow: members(textSpec, {
      mark,
      always: Type.Boolean({ description: 'The mark is there without an eyebrow' }),
    }),
    title: members(
      {
        ...textSpec,
        leading,
        height: Type.Union(length.anyOf, { description: 'At most 1 a share of the card' }),
      },
      {
        tail: between(0, 4, 'Room behind the last line, in em'),
        whole: between(8, 400, 'The smallest size of a long title that is shown whole'),
      },
    ),
    subtitle: members(
      { ...textSpec, leading, width: between(0.1, 4000, 'At most 1 a share of the content') },
      { sign: members({ text: Type.String({ maxLength: 8 }), indent: between(0, 4) }) },
    ),
    author: label,
    domain: label,
    footer: label,
    head: rowBox,
    foot: rowBox,
    logo: members(
      {
        y: length,
        height: length,
        size: between(8, 800, 'The side of a square logo'),
        width: between(0.05, 1, 'A share of the content'),
        align,
      },
      { row, end: length, anchor: share, gap: between(0, 400, 'The text begins this far below the logo') },
    ),
  },
  {
    zoom: between(0.5, 2, 'All lengths but labels are multiplied by it'),
    scale: between(0.5, 2, 'Labels and their marks are multiplied by it'),
    cursor: optional({ lines: between(0, 4000, 'Where the signs of empty lines are, in place of the text') }),
  },
)

export type Layout = Static<typeof layoutSchema>

type DeepPartial<T> = {
  readonly [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | null
}

/** Every member may be left out, or be null, which takes it away. */
function changeOf({ properties }: { readonly properties: TProperties }): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { type, properties: inner } = schema
      const own =
        type === 'object'
          ? Type.Object(changeOf({ properties: inner }), { additionalProperties: false })
          : schema
      return [name, Type.Optional(Type.Union([own, Type.Null()]))]
    }),
  )
}

const layoutChange = Type.Unsafe<DeepPartial<Layout>>(
  Type.Object(changeOf(layoutSchema), { additionalProperties: false }),
)

const layout = Type.Unsafe<DeepPartial<Layout> & { readonly like?: Shape }>(
  Type.Object({ like: Type.Optional(shapeName), ...changeOf(layoutSchema) }, { additionalProperties: false }),
)

/** The cards that something holds for. */
const conditions = {
  shapes: listOf(shapeName, 3),
  align: listOf(oneOf('usual', 'start', 'center'), 3),
  low: Type.Boolean({ description: 'Lower than four fifths of its width' }),
  picture: yesOrNo(),
  logo: yesOrNo(),
}

export type Conditions = Static<ReturnType<typeof optional<typeof conditions>>>

const colorName = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'A CSS colour, or the name of one of the theme',
})

export const colorValue = Type.Union([
  colorName,
  optional({
    from: colorName,
    lightness: Type.Union([share, Type.Tuple([share, share])]),
    contrast: between(1, 21),
    on: colorName,
    mix: Type.Tuple([colorName, colorName, share]),
    pale: Type.String({ maxLength: 60, description: 'The palest shade of it that can be read' }),
    disc: Type.Tuple([share, share], { description: 'The accent below letters, between two lightnesses' }),
    second: Type.Boolean({ description: 'The second colour of a brand goes before it' }),
  }),
])

export type ColorValue = Static<typeof colorValue>

const palette = Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }), colorValue)

const bothSchemes = optional({ light: share, dark: share })

const font = members(
  { family: oneOf('sans', 'serif', 'mono', 'brand') },
  {
    weight: Type.Integer({ minimum: 100, maximum: 900, multipleOf: 100 }),
    italic: yesOrNo(),
    spacing: between(-0.1, 0.5, 'Letter spacing in em'),
  },
)

export type Font = Static<typeof font>

const light = members(
  {
    at: Type.Tuple([px, px]),
    radii: Type.Tuple([between(0.01, 4000), between(0.01, 4000)]),
    color: colorName,
    peak: share,
  },
  {
    angle: between(-360, 360),
    middle: Type.Boolean({
      description: 'Its lengths are shares of the shorter side, from the middle of the top',
    }),
  },
)

export type Light = Static<typeof light>

/** The members of each kind of thing that is drawn, besides colour, opacity and conditions; and those of each pattern. */
export const { kinds: kindsOfItem, patterns: patternMembers } = itemMembers

export type PatternName = keyof typeof patternMembers

export const itemSchema = optional({
  fill: colorName,
  rect: Type.Tuple([across, length, between(0, 4000), between(0, 4000)], {
    description: 'x, y, width, height',
  }),
  frame: listOf(Type.Tuple([between(0, 400), strokePx]), 8),
  circle: Type.Tuple([across, length, between(0, 4000)], { description: 'x and y of the middle, radius' }),
  line: Type.Tuple([across, length, across, length], { description: 'x and y of both ends' }),
  path: Type.String({ maxLength: 20_000, description: 'Path data of SVG' }),
  gradient: listOf(colorName, 6, 2),
  text: oneOf('title', 'eyebrow', 'subtitle', 'author', 'initials', 'domain', 'footer'),
  pattern: oneOf(...(Object.keys(patternMembers) as PatternName[])),
  color: colorName,
  opacity: share,
  radius: between(0, 2000),
  at: Type.Tuple([across, length], { description: 'x and y' }),
  size: between(8, 2000),
  angle: between(-360, 360, 'Degrees, clockwise from the top'),
  area: Type.Tuple([across, length, between(1, 4000), between(1, 4000)], {
    description: 'x, y, width, height',
  }),
  cell: between(8, 400),
  inset: between(0, 400),
  length: between(1, 400),
  stroke: strokePx,
  colors: listOf(colorName, 4),
  lights: listOf(light, 8),
  tint: Type.Boolean({ description: 'The title passes into a tint of the light' }),
  place: oneOf('end', 'sides', 'foot', 'head'),
  cells: Type.Integer({ minimum: 1, maximum: 12, description: 'Cells along the edge' }),
  depth: between(0.05, 12, 'Cells away from the edge; below 1 a share of the height'),
  ...conditions,
})

export type DrawnItem = Static<typeof itemSchema>

export const themeSchema = members(
  { mintmark: Type.Literal(1, { description: 'The version of the format' }) },
  {
    about: Type.String({ maxLength: 300 }),
    scheme: oneOf('light', 'dark'),
    fonts: optional({
      eyebrow: font,
      title: font,
      subtitle: font,
      author: font,
      domain: font,
      numbers: font,
      code: font,
    }),
    colors: optional({
      palette: oneOf('print'),
      light: palette,
      dark: palette,
      both: palette,
      custom: palette,
      contrast: between(7, 21, 'Contrast of the title on a background of a brand'),
      ruleOpacity: bothSchemes,
    }),
    picture: optional({
      share: optional({ wide: between(0.4, 0.8), square: between(0.4, 0.8), tall: between(0.4, 0.8) }),
      cover: Type.Boolean({ description: 'A picture as light or dark as the scheme covers the card' }),
      opening: oneOf('moon'),
    }),
    layouts: optional({ wide: layout, square: layout, tall: layout }),
    variants: listOf(members({ when: optional(conditions) }, { like: shapeName, layout: layoutChange }), 24),
    background: listOf(itemSchema, 200, 0),
  },
)

export type ThemeFile = Static<typeof themeSchema>

/** The parts that a file leaves out are as on most cards. */
export const usualLook = usual as unknown as {
  readonly fonts: Readonly<Record<string, Font>>
  readonly weights: Readonly<Record<string, number>>
  readonly colors: Readonly<Record<'light' | 'dark' | 'both', Readonly<Record<string, ColorValue>>>>
  readonly layouts: Readonly<Record<Shape, Layout>>
}

/** The format as JSON Schema, for editors of text. */
export function themeJsonSchema(): object {
  const schema = JSON.parse(JSON.stringify(themeSchema), (_key, value) => {
    const { anyOf, ...others } = Object(value)
    const isChoice = Array.isArray(anyOf) && anyOf.every((each) => Object.hasOwn(each, 'const'))
    return isChoice ? { ...others, enum: anyOf.map((each) => each.const) } : value
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A theme file of Mintmark',
    ...schema,
  }
}
