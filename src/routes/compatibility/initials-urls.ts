import type { Target } from '../../http/target.ts'
import { avatarColor, avatarTarget, lastValues } from './avatar-urls.ts'
import { decodeLeniently, type ParameterPair } from './parameters.ts'

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

function initialsTarget(
  given: ReadonlyMap<string, string>,
  seed: string | undefined,
  format: string,
): Target {
  const background = given.get('backgroundColor') ?? given.get('background') ?? given.get('b') ?? ''
  const backgroundColor = firstColor(background)
  const [fontPercent, radius] = [Number(given.get('fontSize')), Number(given.get('radius') ?? given.get('r'))]
  const ours: readonly ParameterPair[] = [
    ...[...given].filter(([name]) => keptNames.has(name)),
    ['name', nameOf(seed ?? '')],
    ['format', format === 'svg' || format === 'json' ? format : 'png'],
    ['background', backgroundColor ?? 'auto'],
    [
      'color',
      firstColor(given.get('textColor') ?? '') ?? (backgroundColor === undefined ? 'ffffff' : 'auto'),
    ],
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
  const words = seed
    .replace(/@.*/s, '')
    .replace(/['’`´ʼ]/g, '')
    .match(/[\p{L}\p{N}\p{M}]+/gu)
  return words?.join(' ') || seed || 'John Doe'
}

/** Parameters that mean the same there. */
const keptNames = new Set(['key', 'exp', 't', 'sig', 'size', 'bold'])

/** DiceBear takes one of several colours by chance; here it is always the first. */
function firstColor(list: string): string | undefined {
  return list
    .split(',')
    .map(avatarColor)
    .find((color) => color !== undefined)
}
