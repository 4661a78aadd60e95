import bidiFactory from 'bidi-js'
import type { Direction } from './types.ts'

const bidi = bidiFactory()
const rightToLeft =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Ranges beyond the basic plane whose bidi class is not L, each with a character that has it. */
const standIns: readonly (readonly [first: number, last: number, character: string])[] = [
  [0x10800, 0x10fff, '\u05D0'],
  [0x1d7ce, 0x1d7ff, '1'],
  [0x1e800, 0x1efff, '\u05D0'],
  [0x1f000, 0x1f10f, '\u2603'],
  [0x1f12f, 0x1f12f, '\u2603'],
  [0x1f16a, 0x1f16f, '\u2603'],
  [0x1f260, 0x1fbef, '\u2603'],
  [0xe0000, 0xe00ff, '\u200B'],
  [0xe0100, 0xe01ef, '\u0300'],
]

/** Direction of the first strong character (rules P2 and P3 of UAX 9); left to right when there is none. */
export function baseDirection(text: string): Direction {
  if (!rightToLeft.test(text)) return 'ltr'
  const level = bidi.getEmbeddingLevels(inBasicPlane(text)).paragraphs[0]?.level ?? 0
  return level % 2 === 1 ? 'rtl' : 'ltr'
}

/** Embedding level of every UTF-16 unit, or undefined when all of them are 0. */
export function embeddingLevels(text: string, base: Direction): Uint8Array | undefined {
  if (base === 'ltr' && !rightToLeft.test(text)) return undefined
  return bidi.getEmbeddingLevels(inBasicPlane(text), base).levels
}

/** bidi-js takes surrogates for Latin letters: each pair becomes two characters that behave as the real one does. */
function inBasicPlane(text: string): string {
  return text.replace(/[\u{10000}-\u{10FFFF}]/gu, (character) =>
    standIn(character.codePointAt(0) ?? 0).repeat(2),
  )
}

function standIn(codePoint: number): string {
  return standIns.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2] ?? 'a'
}

/** Rule L2: the order in which items with these levels stand from left to right. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index)
  const lowest = Math.min(...levels.map((level) => level | 1))
  for (let level = Math.max(0, ...levels); level >= lowest; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && (levels[end] ?? 0) >= level) end++
      if (end - start > 1) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return order
}
