import type { BrandFace } from './brand-fonts/brand-face.ts'
import type { FontFile } from './coverage/lookup.ts'
import type { Item } from './item-list.ts'
import { ownFile } from './own-files.ts'
import type { FontOf } from './style-fonts.ts'
import type { Family } from './types.ts'

export interface Spaced {
  readonly text: string
  readonly items: readonly Item[]
  readonly family: Family
  readonly brand: BrandFace | undefined
  readonly fontOf: FontOf
}

interface Neighbour {
  readonly file: FontFile
  readonly code: number
}

/**
 * The room of the space that is this item, in 1/1000 em: that of the face of both words, else of the family's own face, kerned with
 * the letters of that face. Between words that are not monospaced, a monospaced family has a space that is not.
 */
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
  function kerning(side: Neighbour | undefined, isBefore: boolean): number {
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

function neighbour(text: string, item: Item | undefined, side: 1 | -1): Neighbour | undefined {
  if (item?.kind !== 'word') return undefined
  return { file: item.file, code: text.charCodeAt(side === 1 ? item.start : item.end - 1) }
}

function isOf(file: FontFile, { file: { packageName } }: Neighbour): boolean {
  return packageName === file.packageName
}

/** Alphabets whose fonts kern letters with spaces; marks and joining letters have other shapes alone. */
function isKerned(code: number): boolean {
  if (code < 0x590) return code < 0x300 || code >= 0x370
  return code >= 0x1e00 && code <= 0x20cf
}

function isKana(code: number): boolean {
  return (code >= 0x3000 && code <= 0x30ff) || (code >= 0xff00 && code <= 0xffef)
}
