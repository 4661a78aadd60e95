import { withVowelLetters } from './vowel-letters.ts'

const whitespaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]/g
const removed = /[\p{Cc}\p{Cs}\uFEFF\u202A-\u202E\p{Noncharacter_Code_Point}]/gu
const breakingSpaces = /(?<!\p{Zs})\p{Zs}*[ \u1680\u2000-\u2006\u2008-\u200A\u205F\u3000]\p{Zs}*/gu
const fixedSpaces = /([\u00A0\u2007\u202F])[\u00A0\u2007\u202F]+/g
const piledMarks = /(\p{M}{4})\p{M}+/gu

/** Ligatures as characters: fonts make their own, and few have these. */
const ligatures = /[\uFB00-\uFB06]/g

/** ASCII with single spaces: nothing is wrong with it. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/**
 * Makes a caller's text fit to be drawn: well-formed and composed (NFC), Indic vowels as one letter, without controls,
 * bidi overrides, noncharacters, ligature characters and runs of spaces, at most four marks on a base. Cleaning twice
 * changes nothing more.
 */
export function cleanText(raw: string): string {
  if (plain.test(raw)) return raw
  const composed = withoutControls(raw).normalize('NFC')
  const decomposed = composed.replace(ligatures, (ligature) => ligature.normalize('NFKC'))
  return withoutRuns(withVowelLetters(decomposed))
}

/**
 * How many code points a caller's text has once cleaned, but composed no further than it was written: NFC takes
 * some letters apart (U+0958 becomes two), which nobody who counts their letters would know.
 */
export function lengthAsWritten(raw: string): number {
  return countCodePoints(withoutRuns(withoutControls(raw)))
}

function withoutControls(raw: string): string {
  return raw.replace(whitespaceControls, ' ').replace(removed, '')
}

function withoutRuns(text: string): string {
  return text.replace(piledMarks, '$1').replace(breakingSpaces, ' ').replace(fixedSpaces, '$1').trim()
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
