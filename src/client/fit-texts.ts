import type { QueryPair } from '../lib/canonical-query.ts'
import { refuse } from './arguments.ts'
import { textLimits } from './text-limits.ts'
import type { EmbedParameters } from './types.ts'

/**
 * Throws a TypeError that names a text that the service would refuse; with `overflow=ellipsis` one that is too long is cut
 * to what the service reads, which is more than a card shows. A required one that is `undefined` counts as empty: a page
 * had no title. One that nobody named may be what the caller wants to sign.
 */
export function fitTexts(
  path: string,
  pairs: readonly QueryPair[],
  parameters: EmbedParameters,
): readonly QueryPair[] {
  const texts = new Map(pairs)
  // `/api/og.png` is og's; `/api/transform` is of the asset that `kind` names.
  const [, , asset = ''] = path.split(/\W/)
  const limits = textLimits[asset] ?? textLimits[`${texts.get('kind')}`] ?? {}
  const isCut = texts.get('overflow') === 'ellipsis'
  const cuts: Record<string, string> = {}
  for (const [name, [max, min = 0, required, cut = max]] of Object.entries(limits)) {
    const text = drawn(texts.get(name) ?? (required && name in parameters ? '' : '-'))
    if (text.length < min || (text.length > max && !isCut))
      refuse(`${name} must be ${min} to ${max} characters, not ${text.length}`)
    if (text.length > cut) cuts[name] = `${text.slice(0, cut - 1).join('')}…`
  }
  return pairs.map(([name, value]) => [name, cuts[name] ?? value])
}

/** The characters of a text: code points of what the service draws, without controls and runs of spaces. */
function drawn(text: string): string[] {
  return [
    ...text
      .normalize()
      .replace(/\s+/g, ' ')
      .replace(/[\p{Cc}\u202A-\u202E]/gu, '')
      .trim(),
  ]
}
