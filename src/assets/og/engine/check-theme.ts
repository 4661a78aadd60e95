import { Value } from '@sinclair/typebox/value'
import { contrastRatio, toHex } from '../../../lib/color.ts'
import { isPathData } from '../../../svg/bounds.ts'
import { chooseAccent } from '../accent.ts'
import { type CardSize, cardSizes, type Look, type Scheme, type Shape } from '../theme.ts'
import { colorsOf, namedColors, parseColor } from './compile-colors.ts'
import { boxesOf, layoutOf } from './compile-layout.ts'
import type { Boxes } from './contracts.ts'
import { readableColors } from './readable-colors.ts'
import { type DrawnItem, kindsOfItem, layoutSchema, patternMembers, type ThemeFile } from './theme-file.ts'

/** A mistake at a member of the file. */
export interface Fault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

const shapesMax = 200
const pathCharactersMax = 20_000
/** Cards that may be painted over and over for one: more would take a second. */
const paintedMax = 16

const conditionNames = ['shapes', 'align', 'low', 'picture', 'logo']

/** Faults that the schema cannot say: colours that are not there, layouts without room, work without bound. */
export function faultsOf(file: ThemeFile): readonly Fault[] {
  const items = file.background ?? []
  const ofItems = items.flatMap((item, index) =>
    itemFaults(item).map(({ path, message }) => ({ path: ['background', index, ...path], message })),
  )
  const ofColors = firstOfEachMember(colorFaults(file))
  const faults = [...ofItems, ...circleFaults(file), ...ofColors, ...workFaults(items)]
  return faults.length > 0 ? faults : firstOfEachMember(roomFaults(file))
}

function itemFaults(item: DrawnItem): readonly Fault[] {
  const names = Object.keys(kindsOfItem) as (keyof typeof kindsOfItem)[]
  const [kind, other] = names.filter((name) => item[name] !== undefined)
  if (kind === undefined) return [{ path: [], message: `must have one of ${names.join(', ')}` }]
  if (other !== undefined)
    return [{ path: [other], message: `stands beside ${kind}: one thing is drawn at a time` }]
  const own: readonly string[] = [
    kind,
    ...kindsOfItem[kind],
    ...conditionNames,
    ...(item.pattern ? patternMembers[item.pattern] : []),
  ]
  const unknown = Object.keys(item).filter((name) => !own.includes(name))
  const faults = unknown.map((name) => ({
    path: [name],
    message: `does nothing with ${item.pattern ?? kind}: allowed are ${own.join(', ')}`,
  }))
  return item.path === undefined || isPathData(item.path.trim())
    ? faults
    : [...faults, { path: ['path'], message: 'must be path data of SVG, that begins with M' }]
}

function circleFaults({ layouts = {} }: ThemeFile): readonly Fault[] {
  return (Object.keys(layouts) as Shape[]).flatMap((start) => {
    let name = layouts[start]?.like
    for (let steps = 0; name !== undefined && steps < 3; steps++) {
      if (name === start) return { path: ['layouts', start, 'like'], message: `leads back to ${start}` }
      name = layouts[name]?.like
    }
    return []
  })
}

const reserved: ReadonlySet<string> = new Set(['accent', 'accent2', 'accent3', 'core'])

function firstOfEachMember(faults: Iterable<Fault>): readonly Fault[] {
  return [...Map.groupBy(faults, ({ path }) => path.join()).values()].flatMap((same) => same.slice(0, 1))
}

function* colorFaults(file: ThemeFile): Generator<Fault> {
  const { light = {}, dark = {}, both = {}, custom = {} } = file.colors ?? {}
  for (const [group, values] of Object.entries({ light, dark, both, custom }))
    for (const name of Object.keys(values))
      if (reserved.has(name) || parseColor(name) !== undefined)
        yield {
          path: ['colors', group, name],
          message: 'is the name of a colour that there is: choose another',
        }
  const used = (file.background ?? []).flatMap((item, index) =>
    colorNamesOf(item).map(([path, name]) => [['background', index, ...path], name] as const),
  )
  const groups = { light: [light, both], dark: [dark, both] }
  for (const scheme of ['light', 'dark'] as const)
    for (const brandBackground of [undefined, { key: '', color: { r: 128, g: 64, b: 32 } }]) {
      const { of } = namedColors(file, { accent: chooseAccent('a'), scheme, brandBackground })
      const named = [...groups[scheme], ...(brandBackground ? [custom] : [])].flatMap(Object.keys)
      for (const [path, name] of [
        ...named.map((name) => [pathOfColor(file, scheme, name), name] as const),
        // A colour of the theme that is wrong is told once, where it is.
        ...used.filter(([, name]) => !named.includes(name)),
      ])
        try {
          of(name)
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          yield { path, message: error.message }
        }
    }
}

function pathOfColor({ colors = {} }: ThemeFile, scheme: Scheme, name: string): Fault['path'] {
  const group = ([scheme, 'both', 'custom'] as const).find((group) => colors[group]?.[name] !== undefined)
  return group === undefined ? ['colors'] : ['colors', group, name]
}

function colorNamesOf({ fill, color, gradient = [], colors = [], lights = [] }: DrawnItem) {
  const names: readonly (readonly [path: Fault['path'], name: string | undefined])[] = [
    [['fill'], fill],
    [['color'], color],
    ...gradient.map((name, index) => [['gradient', index], name] as const),
    ...colors.map((name, index) => [['colors', index], name] as const),
    // `core` is a colour of lights alone.
    ...lights.map(
      ({ color }, index) => [['lights', index, 'color'], color === 'core' ? undefined : color] as const,
    ),
  ]
  return names.flatMap(([path, name]) => (name === undefined ? [] : [[path, name] as const]))
}

function workFaults(items: readonly DrawnItem[]): readonly Fault[] {
  const shapes = items.reduce((sum, { frame = [1], lights = [] }) => sum + frame.length + lights.length, 0)
  const characters = items.reduce((sum, { path = '' }) => sum + path.length, 0)
  const painted = items.reduce((sum, item) => sum + cardsPainted(item), 0)
  const bounds = [
    [shapes, shapesMax, `has ${shapes} shapes`],
    [characters, pathCharactersMax, `has ${characters} characters of path data`],
    [painted, paintedMax, `paints a card ${Math.round(painted)} times over`],
  ] as const
  return bounds
    .filter(([count, max]) => count > max)
    .map(([, max, work]) => ({ path: ['background'], message: `${work}: at most ${max}` }))
}

/** The area of an item, in cards. */
function cardsPainted({ rect, circle, area, lights, fill, gradient, path }: DrawnItem): number {
  const { widthPx, heightPx } = cardSizes.og
  const card = widthPx * heightPx
  if (lights !== undefined) return lights.length
  const box = rect ?? area
  if (box !== undefined) return Math.min(1, (box[2] * box[3]) / card)
  if (circle !== undefined) return Math.min(1, (4 * circle[2] ** 2) / card)
  return fill !== undefined || gradient !== undefined ? 1 : path === undefined ? 0.1 : 0.5
}

/** Room that every card has for texts, as shares of its width and height. */
const [textWidthMin, textHeightMin] = [0.22, 0.16]

function* roomFaults(file: ThemeFile): Generator<Fault> {
  for (const size of Object.values(cardSizes))
    for (const align of [undefined, 'start', 'center'] as const)
      for (const hasLogo of [false, true])
        for (const part of [size, { ...size, heightPx: Math.round(size.heightPx * 0.6) }]) {
          const look = lookOf(size, { align, hasLogo })
          const layout = ['layouts', size.shape]
          // A part of a card that is lower has layouts of its own, which may be without a member as well.
          const [missing] = Value.Errors(layoutSchema, layoutOf(file, part, look))
          const steps = missing?.path.split('/').slice(1) ?? []
          if (missing)
            yield { path: [...layout, ...steps], message: 'is taken away by null, and every card needs it' }
          else if (part === size)
            for (const [isRight, member, message] of boxRules(boxesOf(file, size, look), size))
              if (!isRight) yield { path: [...layout, ...member.split('.')], message }
        }
}

type BoxRule = readonly [isRight: boolean, member: string, message: string]

function boxRules(
  { content, text, logo: { area }, ...boxes }: Boxes,
  { widthPx, heightPx }: CardSize,
): readonly BoxRule[] {
  const { x, widthPx: width } = text
  const [left, right] = [Math.min(x, content.x), Math.max(x + width, content.x + content.width)]
  const [least, low] = [Math.round(textWidthMin * widthPx), Math.round(textHeightMin * heightPx)]
  const narrow = Math.min(width, content.width)
  const high = Math.min(text.bottom, text.bareBottom) - Math.max(text.top, text.bareTop)
  const rows = (['head', 'foot'] as const).flatMap((name): readonly BoxRule[] => {
    const { x, widthPx: own, centreY } = boxes[name]
    const room = `leaves ${Math.round(own)} px of width: at least ${least}, within the card`
    return [
      [centreY >= 12 && centreY <= heightPx - 12, `${name}.y`, 'is outside of the card'],
      [x >= 0 && own >= least && x + own <= widthPx, name, room],
    ]
  })
  const isWithin =
    Math.min(area.x, area.y) >= 0 && area.y + area.height <= heightPx && area.x + area.width <= widthPx
  return [
    [left >= 0 && right <= widthPx, 'text', 'leaves the card at its sides'],
    [narrow >= least, 'text', `leaves ${Math.round(narrow)} px beside each other: at least ${least}`],
    [high >= low, 'text', `leaves ${Math.round(high)} px of height: at least ${low}`],
    [Math.min(text.top, text.bareTop) >= 0, 'text.top', 'is above the card'],
    [Math.max(text.bottom, text.bareBottom) <= heightPx, 'text.bottom', 'is below the card'],
    ...rows,
    [isWithin && area.height >= 8, 'logo', 'is not within the card, or lower than 8 px'],
  ]
}

function lookOf(size: CardSize, look: Partial<Look>): Look {
  const usual = { accent: chooseAccent('a'), textArea: 'usual', hasLogo: false, pattern: 0 } as const
  return { ...usual, size, direction: 'ltr', ...look }
}

const inks = [
  ['ink', 'ink', 7],
  ['paleInk', 'pale', 4.5],
  ['eyebrow', 'eyebrow', 4.5],
  ['author', 'author', 4.5],
  ['domain', 'domain', 4.5],
] as const

/** Colours of texts that are drawn otherwise than the file says: the last of each scheme and name. */
export function warningsOf(file: ThemeFile): readonly Fault[] {
  const faults = new Map<string, Fault>()
  for (const size of [cardSizes.og, cardSizes.square, cardSizes.portrait])
    for (const scheme of ['light', 'dark'] as const) {
      const look = lookOf(size, { scheme })
      const [wanted, drawn] = [colorsOf(file, look), readableColors(file, look)]
      for (const [member, name, contrast] of inks) {
        const [from, to] = [wanted[member], drawn[member]]
        const path = pathOfColor(file, scheme, name)
        if (toHex(from) === toHex(to) || path.length === 1) continue
        const ratio = contrastRatio(from, wanted.background)
        const below =
          ratio >= contrast
            ? ''
            : `has a contrast of ${ratio.toFixed(1)} with the background, ${contrast} is needed, and `
        const message = `${below}is drawn as ${toHex(to)} in ${scheme}, so that it can be read`
        faults.set(`${scheme} ${name}`, { path, message })
      }
      if (toHex(wanted.background) !== toHex(drawn.background))
        faults.set(`${scheme} background`, {
          path: pathOfColor(file, scheme, 'background'),
          message: `is drawn as ${toHex(drawn.background)} in ${scheme}: no title can be read on it`,
        })
      if (drawn.strength < 1)
        faults.set('strength', {
          path: ['background'],
          message: `is drawn paler in ${scheme}, so that texts can be read on it`,
        })
    }
  return [...faults.values()]
}
