import { avatarQuery } from '../../assets/avatar/query.ts'
import type { Target } from '../../http/request-context.ts'
import { toHex, writtenColor } from '../../lib/color.ts'
import {
  assetTarget,
  createValueCheck,
  decodeLeniently,
  type ParameterPair,
  readParameters,
} from './parameters.ts'

/** `/api/?name=…` of ui-avatars.com, with its defaults for the name, size, number of letters, shape and format. */
export function fromAvatarQuery({ rawQuery }: Target): Target | undefined {
  const given = lastValues(rawQuery)
  // Without any of its parameters it is a visit of the path.
  return pathNames.some((name) => given.has(name)) ? avatarTarget(given) : undefined
}

/** `/api/:name/:size/:background/:color/:length/:fontSize/:rounded/:uppercase/:bold/:format` of ui-avatars.com. */
export function fromAvatarPath({ rawQuery }: Target, rest: string): Target | undefined {
  const values = rest
    .replace(/\/$/, '')
    .split('/')
    .map((value) => decodeLeniently(value.replaceAll('+', ' ')).toWellFormed())
  const [name, size, ...others] = values
  if (!name || others.length > 8) return undefined
  if (size !== undefined && !/^\d{1,4}$/.test(size)) return undefined
  const named = pathNames.flatMap((key, index): ParameterPair[] => {
    const value = values[index]
    return value === undefined || value === '' ? [] : [[key, value]]
  })
  return avatarTarget(new Map([...named, ...lastValues(rawQuery)]))
}

const pathNames = 'name size background color length font-size rounded uppercase bold format'.split(' ')

/** The last value of each parameter, because ui-avatars.com ignores earlier ones. */
export function lastValues(rawQuery: string): ReadonlyMap<string, string> {
  return new Map([...readParameters(rawQuery)].map(([name, values]) => [name, values.at(-1) ?? '']))
}

export function avatarTarget(given: ReadonlyMap<string, string>): Target {
  const all = new Map(defaults)
  for (const [name, value] of given) {
    const rule = rules.get(name)
    const ours = rule === undefined ? value : rule(value)
    if (ours !== undefined && isTaken(name, ours)) all.set(name, ours)
  }
  if (!all.has('shape') && !all.has('rounded')) all.set('shape', 'square')
  return assetTarget('avatar', [...all])
}

const defaults = Object.entries({ name: 'John Doe', size: '64', length: '2', format: 'png' })

const isTaken = createValueCheck(avatarQuery)

const rules: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['name', (value) => Array.from(value.trim()).slice(0, nameLengthMax).join('')],
  ['size', (value) => (/^\d{1,5}$/.test(value) ? String(clamp(Number(value), 16, 1024)) : undefined)],
  ['length', (value) => (/^\d{1,3}$/.test(value) ? String(clamp(Number(value), 1, 3)) : undefined)],
  ['background', (value) => (value === 'random' ? value : avatarColor(value))],
  ['color', avatarColor],
  ['rounded', booleanOf],
  ['bold', booleanOf],
  ['uppercase', booleanOf],
  ['format', (value) => (value === 'svg' || value === 'json' ? value : 'png')],
])

const nameLengthMax = Number(avatarQuery.properties.name.maxLength)

/** Reads booleans like PHP, in which ui-avatars.com is written. */
function booleanOf(value: string): string | undefined {
  if (value === '') return undefined
  return /^(?:1|true|on|yes)$/i.test(value) ? 'true' : 'false'
}

export function avatarColor(text: string): string | undefined {
  const color = writtenColor(text)
  return color && toHex(color.rgb).slice(1)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

/** `/:version/initials/svg?seed=…` of DiceBear. */
export function fromInitialsQuery({ rawQuery }: Target, format: string): Target {
  const given = lastValues(rawQuery)
  return initialsTarget(given, given.get('seed'), format)
}

/** `/api/initials/:seed.svg`, `/v2/initials/:seed.svg`: DiceBear's addresses until version 4. */
export function fromSeedPath({ rawQuery }: Target, rest: string): Target | undefined {
  const [, seed, format] = /^([^/]*)\.(svg|png)$/.exec(rest) ?? []
  return seed === undefined || format === undefined
    ? undefined
    : initialsTarget(lastValues(rawQuery), decodeLeniently(seed), format)
}

function initialsTarget(given: ReadonlyMap<string, string>, seed: string | undefined, format: string) {
  const background = given.get('backgroundColor') ?? given.get('background') ?? given.get('b') ?? ''
  const backgroundColor = firstColor(background)
  const usualColor = backgroundColor === undefined ? 'ffffff' : 'auto'
  const [fontPercent, radius] = [Number(given.get('fontSize')), Number(given.get('radius') ?? given.get('r'))]
  const ours: readonly ParameterPair[] = [
    ...[...given].filter(([name]) => keptNames.has(name)),
    ['name', nameOf(seed ?? '')],
    ['format', format === 'svg' || format === 'json' ? format : 'png'],
    ['background', backgroundColor ?? 'auto'],
    ['color', firstColor(given.get('textColor') ?? '') ?? usualColor],
    ['length', given.get('chars') ?? '2'],
    ...(given.has('size') ? [] : [['size', '128'] as const]),
    ...(radius > 0 ? [['shape', radius >= 50 ? 'circle' : 'rounded'] as const] : []),
    ...(Number(given.get('fontWeight')) >= 600 ? [['bold', 'true'] as const] : []),
    ...(fontPercent >= 10 && fontPercent <= 100 ? [['font-size', String(fontPercent / 100)] as const] : []),
  ]
  return avatarTarget(new Map(ours))
}

/** DiceBear parts a seed at everything that is no letter or digit, and looks at nothing behind an at sign. */
function nameOf(seed: string): string {
  const named = seed.replace(/@.*/s, '').replace(/['’`´ʼ]/g, '')
  const words = named.match(/[\p{L}\p{N}\p{M}]+/gu)
  return words?.join(' ') || seed || 'John Doe'
}

const keptNames = new Set(['key', 'exp', 't', 'sig', 'size', 'bold'])

/** DiceBear takes one of several colours by chance; here it is always the first. */
function firstColor(list: string): string | undefined {
  const colors = list.split(',').map(avatarColor)
  return colors.find((color) => color !== undefined)
}
