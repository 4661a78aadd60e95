import bidiFactory from 'bidi-js'
import { primaryLanguage } from '../lib/words.ts'
import type { Direction } from './types.ts'

const rightToLeft =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const bidi = bidiFactory()

const letters = /\p{L}/gu
/** Characters of two UTF-16 units. bidi-js reads single units, and takes each for a letter from left to right. */
const pairs = /[\u{10000}-\u{10FFFF}]/gu
const standIns = [
  { like: /\p{M}/u, unit: '\u0300' },
  { like: rightToLeft, unit: '\u05D0' },
  { like: /\p{Nd}/u, unit: '1' },
  { like: /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u, unit: '!' },
]
/** Stretches whose direction says nothing about the text around them (rule P2 of UAX 9). */
const isolated = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/gu
/** Languages that are written from right to left, unless their tag names another script. */
const languages = new Set('ar arc arz ckb dv fa glk he iw ks mzn nqo pnb ps sd syr ug ur yi'.split(' '))
const scripts = /-(?:arab|hebr|thaa|syrc|nkoo|adlm|rohg|samr|mand)(?:-|$)/i
const anyScript = /^[a-z]{2,3}(?:-[a-z]{3})*-[a-z]{4}(?:-|$)/i
/** The share of its letters from which on a text that opens from right to left is such a text. */
const openingShareMin = 1 / 4

export function cardDirection(texts: readonly string[], lang?: string): Direction {
  return lang === undefined ? baseDirection(texts.join(' ')) : directionOf(lang)
}

/** The direction of its language, if the text has letters of that, else that of most letters; from left to right without letters. */
export function baseDirection(text: string, lang?: string): Direction {
  if (!rightToLeft.test(text)) return 'ltr'
  const all = text.replace(isolated, '').match(letters) ?? []
  const count = all.filter((letter) => rightToLeft.test(letter)).length
  if (lang !== undefined && count < all.length) return directionOf(lang)
  if (2 * count > all.length) return 'rtl'
  return count >= openingShareMin * all.length && paragraphLevel(text) === 1 ? 'rtl' : 'ltr'
}

function directionOf(lang: string): Direction {
  if (scripts.test(lang)) return 'rtl'
  if (anyScript.test(lang)) return 'ltr'
  return languages.has(primaryLanguage(lang)) ? 'rtl' : 'ltr'
}

/** The level of the first paragraph of a text: 1 when its first strong character is right-to-left. */
export function paragraphLevel(text: string): number {
  return bidi.getEmbeddingLevels(inSingleUnits(text)).paragraphs[0]?.level ?? 0
}

/** Embedding level of every UTF-16 unit, or undefined when all of them are 0. */
export function embeddingLevels(text: string, base: Direction): Uint8Array | undefined {
  if (base === 'ltr' && !rightToLeft.test(text)) return undefined
  return bidi.getEmbeddingLevels(inSingleUnits(text), base).levels
}

function inSingleUnits(text: string): string {
  return text.replace(pairs, (pair) => standIns.find(({ like }) => like.test(pair))?.unit.repeat(2) ?? pair)
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

/** Names with signs that belong to them: `C++`, `F#`, `a||b`, `.NET`, `@scope/name`, `--flag`. */
const behindLetters = /^.*[\p{L}\p{N}][+#&*=|^]+$/u
const afterSign = /^[\p{L}\p{N}+#&*=|^-]/u
const beforeLetters = /^(?:--?|[@#$~./\\]+)$/
const latinLetter = /^\p{Script=Latin}/u
/** A name behind which its signs stand: to the right of it in a right-to-left text too. */
const signsBehind = /(?<=\p{Script=Latin})(?:[+#*®™©]+|\(\))/gu
const signsBefore = /(?<=^|[\s(["'«“]|[\p{L}־]-)[.@#$~/\\-]+(?=\p{Script=Latin})/gu

/** A break without a space at this offset would tear a sign from its name. */
export function tearsName(text: string, offset: number): boolean {
  const start = text.slice(text.lastIndexOf(' ', offset - 1) + 1, offset)
  const rest = text.slice(offset, offset + 2)
  return beforeLetters.test(start)
    ? latinLetter.test(rest)
    : afterSign.test(rest) && behindLetters.test(start)
}

/** A line may start with a sign and its name here, which Unicode forbids: at `.NET` and `/usr`. */
export const nameAfterSpace = /(?<= )(?=\.\p{Lu}|\/\p{L})/gu

/** The text with Latin letters instead of the signs of Latin names, which gives these the direction of the name. */
export function withSignsAsLetters(text: string): string {
  const asLetters = (found: string) => 'x'.repeat(found.length)
  return text.replace(signsBehind, asLetters).replace(signsBefore, asLetters)
}
