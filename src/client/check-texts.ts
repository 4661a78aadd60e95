import type { QueryPair } from '../lib/canonical-query.ts'
import { refuse } from './arguments.ts'
import { textLimits } from './text-limits.ts'
import type { EmbedParameters } from './types.ts'

/**
 * Throws a TypeError that names a text that the service would refuse. A required one that is `undefined` counts as empty:
 * a page had no title. One that nobody named may be what the caller wants to sign.
 */
export function checkTexts(path: string, pairs: readonly QueryPair[], parameters: EmbedParameters): void {
  const texts = new Map(pairs)
  // `/api/og.png` is og's; `/api/transform` is of the asset that `kind` names.
  const [, , asset = ''] = path.split(/\W/)
  const limits = textLimits[asset] ?? textLimits[texts.get('kind') ?? '']
  for (const [name, [max, min, required]] of Object.entries(limits ?? {})) {
    const length = textLength(texts.get(name) ?? (required && name in parameters ? '' : '-'))
    if (length < min || length > max) refuse(`${name} must be ${min} to ${max} characters, not ${length}`)
  }
}

/** How many characters a text has: code points of what the service draws, without controls and runs of spaces. */
export function textLength(text: string): number {
  const drawn = text
    .normalize()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u202A-\u202E]/gu, '')
  return [...drawn.trim()].length
}
