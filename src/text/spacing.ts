import type { BrandFace } from './brand-fonts/brand-font.ts'
import type { FontFile } from './font-files.ts'
import type { Item, WordItem } from './item-list.ts'
import { type FontOf, ownFile } from './style-fonts.ts'
import type { Family } from './types.ts'
import type { Word } from './word-store.ts'

export interface Spaced {
  readonly text: string
  readonly items: readonly Item[]
  readonly family: Family
  readonly brand: BrandFace | undefined
  readonly fontOf: FontOf
}

/** The room of a space in 1/1000 em: of the face of both words, else of the family's, kerned; sans in mono between other words. */
export function spaceAdvance(spaced: Spaced, index: number): number {
  const left = spaced.items[index - 1]
  const right = spaced.items[index + 1]
  if (left?.kind === 'word' && right?.kind === 'word' && left.file === right.file) {
    // Most spaces: nothing needs to be weighed.
    const last = spaced.text.charCodeAt(left.end - 1)
    const first = spaced.text.charCodeAt(right.start)
    const level = spaced.items[index]?.level ?? 0
    if (isKerned(last) && isKerned(first)) return spaced.fontOf(left.file, level).between(last, ' ', first)
  }
  return weighedAdvance(spaced, index)
}

/** The advance of a space between words of two faces, or beside something other than letters. */
function weighedAdvance({ text, items, family, brand, fontOf }: Spaced, index: number): number {
  const level = items[index]?.level ?? 0
  const before = neighbour(text, items[index - 1], -1)
  const after = neighbour(text, items[index + 1], 1)
  const own = ownFile(family, brand)
  const isForeign = before !== undefined && after !== undefined && !isOf(own, before) && !isOf(own, after)
  const isOneFace = isForeign && isOf(before.file, after) && isKerned(before.code) && isKerned(after.code)
  if (isForeign && !isOneFace)
    return fontOf(ownFile(family === 'mono' ? 'sans' : family), level).between(0, ' ', 0)
  const file = isOneFace ? before.file : own
  function kerning(side: typeof before, isBefore: boolean): number {
    if (side === undefined || !isOf(file, side) || !isKerned(side.code)) return 0
    const font = fontOf(side.file, level)
    return font.between(isBefore ? side.code : 0, ' ', isBefore ? 0 : side.code) - font.between(0, ' ', 0)
  }
  return fontOf(file, level).between(0, ' ', 0) + kerning(before, true) + kerning(after, false)
}

/** Kerning between two characters that stand alone in the same font, in 1/1000 em: kana and their marks. */
export function kanaKerning({ text, fontOf }: Spaced, before: Item | undefined, item: Item): number {
  if (before?.kind !== 'word' || item.kind !== 'word' || before.file !== item.file) return 0
  if (before.level !== item.level || item.level % 2 === 1) return 0
  const [first, last] = [text.charCodeAt(item.start - 1), text.charCodeAt(item.start)]
  return isKana(first) && isKana(last) ? fontOf(item.file, item.level).between(first, '', last) : 0
}

function neighbour(text: string, item: Item | undefined, side: 1 | -1) {
  if (item?.kind !== 'word') return undefined
  return { file: item.file, code: text.charCodeAt(side === 1 ? item.start : item.end - 1) }
}

function isOf(file: FontFile, side: { readonly file: FontFile }): boolean {
  return side.file.packageName === file.packageName
}

/** Alphabets whose fonts kern letters with spaces; marks and joining letters have other shapes alone. */
function isKerned(code: number): boolean {
  if (code < 0x590) return code < 0x300 || code >= 0x370
  return code >= 0x1e00 && code <= 0x20cf
}

function isKana(code: number): boolean {
  return (code >= 0x3000 && code <= 0x30ff) || (code >= 0xff00 && code <= 0xffef)
}

export type MarkSpacing = ReturnType<typeof markSpacing>

/** The room between full-width characters, in 1/1000 em. Marks are squeezed where two meet, and at the edges of lines. */
export function markSpacing(spaced: Spaced) {
  const { text, items } = spaced
  /** The room before each item that does not start a line. */
  const gaps: number[] = []
  const blanks: (Blank | undefined)[] = []
  /** Blank cut from the start of a line that begins at an offset, and from the end of one that ends there. */
  const starts = new Map<number, number>()
  const ends = new Map<number, number>()

  /** Takes the next word. Returns the room before it, where it does not start a line. */
  function add(index: number, item: WordItem, word: Word): number {
    const { start, end, level } = item
    if (level % 2 === 1) return 0
    const blank = end - start === 1 ? blankOf(text.charAt(start), word) : undefined
    const gap = -squeeze(blanks[index - 1], blank) || kanaKerning(spaced, items[index - 1], item)
    if (gap === 0 && blank === undefined) return 0
    gaps[index] = gap
    blanks[index] = blank
    starts.set(start, gap + (blank?.kind === 'opening' ? blank.units : 0))
    if (blank?.kind === 'closing') ends.set(end, blank.units)
    return gap
  }
  return { gaps, blanks, starts, ends, add }
}

/** Marks that Latin and Chinese or Japanese share: which face they come from depends on what they stand beside. */
const shared = /[“”—…‥]/
const wide = /^[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/u
const opening = /^[“「『（〈《【〔〖〘〚｛［｟]$/
const closing = /^[”」』）〉》】〕〗〙〛｝］｠、。，．：；！？]$/
/** In 1/1000 em: the blank half of a full-width mark, and from how much blank on it counts as one. */
const half = 500
const blankMin = 440
const fullWidthMin = 900

/** Shared marks beside a full-width character, alone or in a row. A closing quotation mark goes with its opening one. */
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

interface Blank {
  readonly kind: 'opening' | 'closing'
  /** In 1/1000 em; 0 where the font draws the mark in the middle. */
  readonly units: number
}

/** The blank half of a character that is drawn alone; undefined if it is not a full-width mark. */
function blankOf(character: string, { advance, path }: Word): Blank | undefined {
  if (path === undefined || advance < fullWidthMin) return undefined
  const isOpening = opening.test(character)
  if (!isOpening && !closing.test(character)) return undefined
  const units = isOpening ? path.ink.left : advance - path.ink.right
  return { kind: isOpening ? 'opening' : 'closing', units: units < blankMin ? 0 : Math.min(half, units) }
}

/** Units by which two marks move together: a closing one gives up its blank, and so does an opening one behind another. */
function squeeze(first: Blank | undefined, second: Blank | undefined): number {
  if (first === undefined || second === undefined) return 0
  if (first.kind === 'closing') return first.units
  return second.kind === 'opening' ? second.units : 0
}
