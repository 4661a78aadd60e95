import { Value } from '@sinclair/typebox/value'
import { contrastRatio, type Rgb, toHex } from '../../../lib/color.ts'
import { readPath } from '../../../svg/read-path.ts'
import { chooseAccent } from '../accent.ts'
import { type CardSize, cardSizes, type Shape } from '../card-sizes.ts'
import type { CardColors, Look, Scheme } from '../theme.ts'
import { colorsOf, namedColors, parseColor } from './compile-colors.ts'
import { boxesOf, layoutOf } from './compile-layout.ts'
import { readableColors } from './readable-colors.ts'
import type { Boxes } from './theme-contract.ts'
import {
  type DrawnItem,
  type KindOfItem,
  kindsOfItem,
  layoutSchema,
  patternMembers,
  type ThemeFile,
} from './theme-file.ts'

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
    itemFaults(item).map((fault) => at(['background', index], fault)),
  )
  const faults = [...ofItems, ...circleFaults(file), ...colorFaults(file), ...workFaults(items)]
  return faults.length > 0 ? faults : roomFaults(file)
}

function at(path: Fault['path'], { path: within, message }: Fault): Fault {
  return { path: [...path, ...within], message }
}

function itemFaults(item: DrawnItem): readonly Fault[] {
  const names = Object.keys(kindsOfItem) as KindOfItem[]
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
  return item.path === undefined || isPathData(item.path)
    ? faults
    : [...faults, { path: ['path'], message: 'must be path data of SVG, that begins with M' }]
}

function isPathData(d: string): boolean {
  const ignore = () => undefined
  try {
    readPath(d, { moveTo: ignore, lineTo: ignore, cubicTo: ignore, close: ignore })
    return true
  } catch {
    return false
  }
}

/** Layouts that are like each other in a circle. */
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

function colorFaults(file: ThemeFile): readonly Fault[] {
  const faults: Fault[] = []
  const { light = {}, dark = {}, both = {}, custom = {} } = file.colors ?? {}
  for (const [group, values] of Object.entries({ light, dark, both, custom }))
    for (const name of Object.keys(values))
      if (reserved.has(name) || parseColor(name) !== undefined)
        faults.push({
          path: ['colors', group, name],
          message: 'is the name of a colour that there is: choose another',
        })
  const used = (file.background ?? []).flatMap((item, index) =>
    colorNamesOf(item).map(([path, name]) => [['background', index, ...path], name] as const),
  )
  const groups = { light: [light, both], dark: [dark, both] }
  for (const scheme of ['light', 'dark'] as const) {
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
          faults.push({ path, message: error.message })
        }
    }
  }
  return faults.filter(
    ({ path }, index) => faults.findIndex((other) => other.path.join() === path.join()) === index,
  )
}

function pathOfColor({ colors = {} }: ThemeFile, scheme: Scheme, name: string): Fault['path'] {
  const group = ([scheme, 'both', 'custom'] as const).find((group) => colors[group]?.[name] !== undefined)
  return group === undefined ? ['colors'] : ['colors', group, name]
}

function colorNamesOf({
  fill,
  color,
  gradient = [],
  colors = [],
  lights = [],
}: DrawnItem): readonly (readonly [Fault['path'], string])[] {
  return [
    ...(fill === undefined ? [] : [[['fill'], fill] as const]),
    ...(color === undefined ? [] : [[['color'], color] as const]),
    ...gradient.map((name, index) => [['gradient', index], name] as const),
    ...colors.map((name, index) => [['colors', index], name] as const),
    ...lights.flatMap(({ color }, index) =>
      color === 'core' ? [] : [[['lights', index, 'color'], color] as const],
    ),
  ]
}

/** The drawing of each shape, counted before it is drawn. */
function workFaults(items: readonly DrawnItem[]): readonly Fault[] {
  const shapes = items.reduce((sum, { frame = [1], lights = [] }) => sum + frame.length + lights.length, 0)
  const characters = items.reduce((sum, { path = '' }) => sum + path.length, 0)
  const painted = items.reduce((sum, item) => sum + cardsPainted(item), 0)
  const path = ['background']
  return [
    ...(shapes > shapesMax ? [{ path, message: `has ${shapes} shapes: at most ${shapesMax}` }] : []),
    ...(characters > pathCharactersMax
      ? [{ path, message: `has ${characters} characters of path data: at most ${pathCharactersMax}` }]
      : []),
    ...(painted > paintedMax
      ? [{ path, message: `paints a card ${Math.round(painted)} times over: at most ${paintedMax}` }]
      : []),
  ]
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

function roomFaults(file: ThemeFile): readonly Fault[] {
  const faults = new Map<string, Fault>()
  function add(shape: Shape, members: readonly string[], message: string): void {
    const path = ['layouts', shape, ...members]
    if (!faults.has(path.join())) faults.set(path.join(), { path, message })
  }
  for (const size of Object.values(cardSizes))
    for (const align of [undefined, 'start', 'center'] as const)
      for (const hasLogo of [false, true])
        for (const part of [size, { ...size, heightPx: Math.round(size.heightPx * 0.6) }]) {
          const look = lookOf(size, { align, hasLogo })
          // A part of a card that is lower has layouts of its own, which may be without a member as well.
          const [missing] = Value.Errors(layoutSchema, layoutOf(file, part, look))
          if (missing !== undefined)
            add(
              size.shape,
              missing.path.split('/').slice(1),
              'is taken away by null, and every card needs it',
            )
          else if (part === size)
            for (const [member, message] of wrongBoxes(boxesOf(file, size, look), size))
              add(size.shape, member.split('.'), message)
        }
  return [...faults.values()]
}

function wrongBoxes({ content, text, logo, head, foot }: Boxes, { widthPx, heightPx }: CardSize) {
  const faults: (readonly [member: string, message: string])[] = []
  function check(isRight: boolean, member: string, message: string): void {
    if (!isRight) faults.push([member, message])
  }
  const { x = content.x, widthPx: width = content.width } = text
  const sides = [Math.min(x, content.x), Math.max(x + width, content.x + content.width)] as const
  check(sides[0] >= 0 && sides[1] <= widthPx, 'text', 'leaves the card at its sides')
  const [least, low] = [Math.round(textWidthMin * widthPx), Math.round(textHeightMin * heightPx)]
  const narrow = Math.min(width, content.width)
  check(narrow >= least, 'text', `leaves ${Math.round(narrow)} px beside each other: at least ${least}`)
  const [top, bottom] = [Math.max(text.top, text.bareTop), Math.min(text.bottom, text.bareBottom)]
  check(bottom - top >= low, 'text', `leaves ${Math.round(bottom - top)} px of height: at least ${low}`)
  check(Math.min(text.top, text.bareTop) >= 0, 'text.top', 'is above the card')
  check(Math.max(text.bottom, text.bareBottom) <= heightPx, 'text.bottom', 'is below the card')
  for (const [name, { x = content.x, widthPx: own = content.width, centreY }] of Object.entries({
    head,
    foot,
  })) {
    check(centreY >= 12 && centreY <= heightPx - 12, `${name}.y`, 'is outside of the card')
    check(
      x >= 0 && own >= least && x + own <= widthPx,
      name,
      `leaves ${Math.round(own)} px of width: at least ${least}, within the card`,
    )
  }
  const { area } = logo
  check(
    area.height >= 8 &&
      area.y >= 0 &&
      area.y + area.height <= heightPx &&
      area.x >= 0 &&
      area.x + area.width <= widthPx,
    'logo',
    'is not within the card, or lower than 8 px',
  )
  return faults
}

function lookOf(size: CardSize, look: Partial<Look>): Look {
  return {
    accent: chooseAccent('a'),
    size,
    textArea: 'usual',
    hasLogo: false,
    pattern: 0,
    direction: 'ltr',
    ...look,
  }
}

const inks = {
  ink: ['ink', 7],
  paleInk: ['pale', 4.5],
  eyebrow: ['eyebrow', 4.5],
  author: ['author', 4.5],
  domain: ['domain', 4.5],
} as const

/** Colours of texts that are drawn otherwise than the file says. */
export function warningsOf(file: ThemeFile): readonly Fault[] {
  const faults = new Map<string, Fault>()
  for (const size of [cardSizes.og, cardSizes.square, cardSizes.portrait])
    for (const scheme of ['light', 'dark'] as const) {
      const look = lookOf(size, { scheme })
      const [wanted, drawn] = [colorsOf(file, look), readableColors(file, look)]
      for (const [member, [name, contrast]] of Object.entries(inks) as [
        keyof typeof inks & keyof CardColors,
        readonly [string, number],
      ][]) {
        const [from, to]: readonly [Rgb, Rgb] = [wanted[member], drawn[member]]
        const path = pathOfColor(file, scheme, name)
        if (toHex(from) === toHex(to) || path.length === 1) continue
        const ratio = contrastRatio(from, wanted.background)
        const below =
          ratio >= contrast
            ? ''
            : ` has a contrast of ${ratio.toFixed(1)} with the background, ${contrast} is needed, and`
        const message = `${below} is drawn as ${toHex(to)} in ${scheme}, so that it can be read`.trim()
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
