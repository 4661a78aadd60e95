import type { Word } from './word-store.ts'

/** Marks that Latin and Chinese or Japanese share: which face they come from depends on what they stand beside. */
const shared = /[“”—…‥]/
const wide = /^[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/u
const opening = /^[“「『（〈《【〔〖〘〚｛［｟]$/
const closing = /^[”」』）〉》】〕〗〙〛｝］｠、。，．：；！？]$/
/** In 1/1000 em: the blank half of a full-width mark, and from how much blank on it counts as one. */
const half = 500
const blankMin = 440
const fullWidthMin = 900

/**
 * Shared marks in Chinese or Japanese context: they stand beside a full-width character, alone or in a row of marks. A closing
 * quotation mark goes with its opening one.
 */
export function cjkMarks(graphemes: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  const openQuotes: boolean[] = []
  for (const [at, grapheme] of graphemes.entries()) {
    if (!shared.test(grapheme)) continue
    const isBeside = isWideBeside(graphemes, at, -1) || isWideBeside(graphemes, at, 1)
    const isWide = grapheme === '”' ? (openQuotes.pop() ?? isBeside) : isBeside
    if (grapheme === '“') openQuotes.push(isWide)
    if (isWide) found.add(at)
  }
  return found
}

function isWideBeside(graphemes: readonly string[], start: number, step: 1 | -1): boolean {
  let at = start + step
  while (shared.test(graphemes[at] ?? '')) at += step
  return wide.test(graphemes[at] ?? '')
}

export interface Blank {
  readonly kind: 'opening' | 'closing'
  /** In 1/1000 em; 0 where the font draws the mark in the middle. */
  readonly units: number
}

/** The blank half of a character that is drawn alone; undefined if it is not a full-width mark. */
export function blankOf(character: string, { advance, path }: Word): Blank | undefined {
  if (path === undefined || advance < fullWidthMin) return undefined
  const isOpening = opening.test(character)
  if (!isOpening && !closing.test(character)) return undefined
  const units = isOpening ? path.ink.left : advance - path.ink.right
  return { kind: isOpening ? 'opening' : 'closing', units: units < blankMin ? 0 : Math.min(half, units) }
}

/** Units by which two marks move together: a closing one gives up its blank, and so does an opening one behind another. */
export function squeeze(first: Blank | undefined, second: Blank | undefined): number {
  if (first === undefined || second === undefined) return 0
  if (first.kind === 'closing') return first.units
  return second.kind === 'opening' ? second.units : 0
}
