import type { Target } from '../../http/target.ts'
import { parseHex, toHex } from '../../lib/color.ts'
import { formDecode } from '../../lib/query-pairs.ts'
import { assetTarget, type Parameter, readParameters } from './parameters.ts'

/** `/api/?name=…` of ui-avatars.com, with its defaults for the name, size, number of letters, shape and format. */
export function fromAvatarQuery({ rawQuery }: Target): Target | undefined {
  const parameters = readParameters(rawQuery)
  const isItsOwn = [...parameters.keys()].some((name) => ownNames.has(name))
  return isItsOwn ? avatarTarget(last(parameters)) : undefined
}

/** Parameters that tell a call of ui-avatars.com from a visit of the path. */
const ownNames = new Set(['name', 'size', 'background', 'color'])

/** `/api/:name/:size/:background/:color/:length/:fontSize/:rounded/:uppercase/:bold/:format` of ui-avatars.com. */
export function fromAvatarPath({ rawQuery }: Target, rest: string): Target | undefined {
  const values = rest.replace(/\/$/, '').split('/').map(formDecode)
  const [name, size, ...others] = values
  if (!name || others.length > 8 || values.includes(undefined)) return undefined
  if (size !== undefined && !/^\d{1,4}$/.test(size)) return undefined
  const named = pathNames.flatMap((key, index): Parameter[] => {
    const value = values[index]
    return value === undefined || value === '' ? [] : [[key, value]]
  })
  return avatarTarget(new Map([...named, ...last(readParameters(rawQuery))]))
}

const pathNames = 'name size background color length font-size rounded uppercase bold format'.split(' ')

/** `/:version/initials/svg?seed=…` of DiceBear. */
export function fromInitialsQuery({ rawQuery }: Target, format: string): Target {
  const given = last(readParameters(rawQuery))
  const name = given.get('seed')
  const fontPercent = Number(given.get('fontSize'))
  return avatarTarget(
    new Map([
      ...[...given].filter(([key]) => credentials.has(key) || key === 'size'),
      ['name', name || 'John Doe'],
      ['format', format],
      ['background', given.get('backgroundColor')?.split(',')[0] ?? 'auto'],
      ['color', given.get('textColor') ?? 'ffffff'],
      ...(given.get('radius') === '50' ? [['rounded', 'true'] as const] : []),
      ...(given.get('chars') === '1' ? [['length', '1'] as const] : []),
      ...(fontPercent >= 10 && fontPercent <= 100 ? [['font-size', String(fontPercent / 100)] as const] : []),
    ]),
  )
}

const credentials = new Set(['key', 'exp', 't', 'sig', 'demo'])

function last(parameters: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  return new Map([...parameters].map(([name, values]) => [name, values.at(-1) ?? '']))
}

/** Values that our avatar does not take become its defaults. */
function avatarTarget(given: ReadonlyMap<string, string>): Target {
  const defaults: readonly Parameter[] = [
    ['name', 'John Doe'],
    ['size', '64'],
    ['length', '2'],
    ['format', 'png'],
    ...(given.has('shape') || given.has('rounded') ? [] : [['shape', 'square'] as const]),
  ]
  const all = new Map([...defaults, ...[...given].flatMap(([name, value]) => forgive(name, value))])
  return assetTarget('avatar', [...all])
}

function forgive(name: string, value: string): Parameter[] {
  const rule = rules.get(name)
  const forgiven = rule === undefined ? value : rule(value)
  return forgiven === undefined ? [] : [[name, forgiven]]
}

const rules: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['name', (value) => Array.from(value.trim()).slice(0, 128).join('') || undefined],
  ['size', (value) => (/^\d{1,5}$/.test(value) ? String(clamp(Number(value), 16, 1024)) : undefined)],
  ['length', (value) => (/^\d$/.test(value) ? String(clamp(Number(value), 1, 3)) : undefined)],
  ['background', backgroundOf],
  ['color', colorOf],
  ['font-size', (value) => (Number(value) >= 0.1 && Number(value) <= 1 ? value : undefined)],
  ['rounded', booleanOf],
  ['bold', booleanOf],
  ['uppercase', booleanOf],
  ['format', (value) => (value === 'svg' || value === 'json' ? value : 'png')],
])

function backgroundOf(value: string): string | undefined {
  return value === 'random' ? value : colorOf(value)
}

/** Hex digits; an alpha channel is left out. */
function colorOf(value: string): string | undefined {
  const rgb = parseHex(value.replace(/^(#?[\da-f]{6})[\da-f]{2}$/i, '$1'))
  return rgb && toHex(rgb).slice(1)
}

function booleanOf(value: string): string | undefined {
  return ['true', '1', 'false', '0'].includes(value) ? value : undefined
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
