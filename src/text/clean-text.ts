import vowelLetters from './data/vowel-letters.json' with { type: 'json' }

const whitespaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]/g
const removed = /[\p{Cc}\p{Cs}\uFEFF\u202A-\u202E\p{Noncharacter_Code_Point}]/gu
const breakingSpaces = /(?<!\p{Zs})\p{Zs}*[ \u1680\u2000-\u2006\u2008-\u200A\u205F\u3000]\p{Zs}*/gu
const fixedSpaces = /([\u00A0\u2007\u202F])[\u00A0\u2007\u202F]+/g
const piledMarks = /(\p{M}{4})\p{M}+/gu

/** Ligature characters are taken apart, because fonts make their own ligatures and few have these. */
const ligatures = /[\uFB00-\uFB06]/g

/** ASCII with single spaces: nothing is wrong with it. */
const plain = /^[!-~]+(?: [!-~]+)*$/

/**
 * Makes a caller's text fit to be drawn: well-formed and composed (NFC), Indic vowels as one letter, without controls, bidi
 * overrides, noncharacters, ligatures and runs of spaces, at most four marks on a base. Cleaning twice changes nothing more.
 */
export function cleanText(raw: string): string {
  if (plain.test(raw)) return raw
  const composed = withoutControls(raw).normalize('NFC')
  const decomposed = composed.replace(ligatures, (ligature) => ligature.normalize('NFKC'))
  return withoutRuns(withVowelLetters(decomposed))
}

/** Counts the code points of a cleaned text as written: NFC takes some letters apart (U+0958 becomes two). */
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

/**
 * Indic vowels that look like a letter with a sign behind it but are letters of their own: letter, sign, and what the Unicode
 * Standard wants instead ("do not use" in the tables of chapters 12 and 13), in hexadecimal.
 */
const table = vowelLetters.vowels
  .split(' ')
  .map((row) => row.split(':').map((point) => String.fromCodePoint(Number.parseInt(point, 16))))

const letters = new Map(table.map(([letter = '', sign = '', vowel = '']) => [letter + sign, vowel]))
const indic = /[\u0905-\u0D94]/
const pairs = new RegExp(
  `[${[...new Set(table.map(([letter]) => letter))].join('')}][${[...new Set(table.map(([, sign]) => sign))].join('')}]+`,
  'g',
)

/** Browsers show a dotted circle inside such a pair, for which nobody asked; Marathi keyboards write `अॅ` for `ॲ`. */
function withVowelLetters(text: string): string {
  if (!indic.test(text)) return text
  return text.replace(pairs, (found) => {
    const [first = '', ...signs] = found
    return signs.reduce((before, sign) => {
      const letter = letters.get(before.slice(-1) + sign)
      return letter === undefined ? before + sign : before.slice(0, -1) + letter
    }, first)
  })
}

/** Offsets of the backticks of a text that stand in pairs around code; none where one stands alone or encloses nothing. */
export function codeMarks(text: string): readonly number[] {
  if (!text.includes('`')) return []
  const parts = text.split('`')
  const isCode = (part: string) => part !== '' && part === part.trim()
  if (parts.length % 2 === 0 || !parts.every((part, at) => at % 2 === 0 || isCode(part))) return []
  const marks: number[] = []
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at + 1)) marks.push(at)
  return marks
}

/** Titles and subtitles of cards show what stands between backticks as code. */
export function hasCode(role: string): boolean {
  return role === 'title' || role === 'subtitle'
}

/** A text as it is read, without the marks of its code. */
export function withoutCodeMarks(text: string): string {
  return codeMarks(text).length === 0 ? text : text.replaceAll('`', '')
}
